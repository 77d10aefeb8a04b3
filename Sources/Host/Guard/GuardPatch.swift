// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing
internal import Patchbay

/// The connections to the hardware that may stand in for the host: those that are not louder than what was heard.
///
/// A connection has a gain of 1. So an output is connected only where it was heard at 1 or more, within
/// ``toleranceDB``, and is left silent everywhere else.
///
/// Pure value: [any-thread].
struct GuardPatch: Equatable, Sendable {
  /// How an output of a client is heard at a port of the hardware.
  struct Path: Equatable, Sendable {
    /// The output.
    var port: String
    /// The strip's port that it feeds.
    var strip: String
    /// The port of the hardware.
    var hardware: String
    /// The linear gain of all that acts on it, summed over all ways; negative where the polarity is turned.
    var gain: Float
    /// The lowest ceiling of a limiter on the way in dB; nil without one.
    var ceilingDB: Double?
    /// Whether effects change it on the way, so that its level is not known.
    var isAltered: Bool
  }

  /// An output, the strip's port that it feeds, and the ports of the hardware that it may be connected to.
  typealias Placement = (port: String, strip: String, hardware: [String])

  /// The distance in dB that nobody takes for a louder sound.
  static let toleranceDB = 1.0

  /// Every way on which a client's sound reaches the hardware.
  var paths: [Path]

  /// The connections that may be made, in the order of the paths; outputs without any are left out.
  var placements: [Placement] {
    let limited = limitedSums
    var order: [String] = []
    var found: [String: Placement] = [:]
    for path in paths where isAllowed(path, limitedSums: limited) {
      if found[path.port] == nil {
        order.append(path.port)
        found[path.port] = (path.port, path.strip, [])
      }
      found[path.port]?.hardware.append(path.hardware)
    }
    return order.compactMap { found[$0] }
  }

  private func isAllowed(_ path: Path, limitedSums: Set<String>) -> Bool {
    path.gain >= Decibels.linear(fromDB: -Self.toleranceDB) && !path.isAltered
      && path.ceilingDB.map { $0 >= -Self.toleranceDB } ?? true
      && !limitedSums.contains(path.hardware)
  }

  /// The ports of the hardware where a limiter holds down the sum of several outputs, which nothing would hold down after it.
  private var limitedSums: Set<String> {
    let ways = Dictionary(grouping: paths, by: \.hardware)
    return Set(ways.filter { $1.count > 1 && $1.contains { $0.ceilingDB != nil } }.keys)
  }

  // MARK: - In words

  /// The rest that is heard of some outputs once the host is dead, in a sentence.
  ///
  /// - Parameters:
  ///   - ports: The outputs of a client.
  ///   - name: Its name for people.
  /// - Returns: The sentence.
  func fate(of ports: Set<String>, named name: String) -> String {
    let own = paths.filter { ports.contains($0.port) }
    let places = Set(placements.filter { ports.contains($0.port) }.flatMap(\.hardware))
    let lost = Set(own.map(\.hardware)).subtracting(places)
      .sorted(by: NaturalOrder.areInIncreasingOrder)
    let kept = places.sorted(by: NaturalOrder.areInIncreasingOrder).joined(separator: ", ")
    if lost.isEmpty, !places.isEmpty {
      return "If the host dies, its guard plays \(name) at \(kept)."
    }
    let reason = lost.first.flatMap { port in own.first { $0.hardware == port } }.map(reason)
    let why = reason ?? "it is silent now"
    guard !places.isEmpty else {
      return "If the host dies, \(name) is silent: \(why), and the guard plays nothing louder than "
        + "before."
    }
    return "If the host dies, its guard plays \(name) at \(kept), and not at "
      + "\(lost.joined(separator: ", ")): \(why)."
  }

  private func reason(for path: Path) -> String {
    if path.isAltered { return "effects change it" }
    if path.gain < 0 { return "its polarity is turned" }
    let levelDB = Decibels.decibels(fromLinear: path.gain)
    if levelDB < -Self.toleranceDB {
      let tenths = (levelDB * 10).rounded() / 10
      return "it is heard at \(tenths) dB"
    }
    return "a limiter holds the route down"
  }
}
