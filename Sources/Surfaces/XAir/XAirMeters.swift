// SPDX-License-Identifier: MIT

/// The sets of meters of the mixer, and what the host has of them (XA-21).
///
/// Pure functions: [any-thread].
enum XAirMeters {
  /// The level of one place: of a channel of a parameter, or the same always.
  enum Place: Equatable, Sendable {
    /// The loudest channel of a level.
    case peak(String)
    /// One channel of a level; the last one where there are fewer.
    case channel(String, Int)
    /// Silence.
    case silent
    /// A gain that is not lowered, as of a compressor that is off.
    case unlowered
    /// The gain of a limiter.
    case limiter(String)
  }

  /// The number of places in each set.
  static let counts = [8, 40, 36, 56, 100, 44, 39, 16, 4, 4]

  /// The places of a set.
  ///
  /// - Parameters:
  ///   - number: The set.
  ///   - channel: The channel of the set that is of one channel, from 0.
  ///   - layout: The host's strips and routes.
  /// - Returns: As many places as ``counts`` says.
  static func places(_ number: Int, channel: Int, of layout: XAirLayout) -> [Place] {
    let strips = peaks(layout.stripLevels, XAirLayout.channels)
    let busses = peaks(layout.busLevels, XAirLayout.busses)
    let main = sides(layout.mainLevel)
    switch number {
    case 0:
      let own = layout.stripLevels
      let ends = sides(own.indices.contains(channel) ? own[channel] : nil)
      let reductions: [Place] = [.unlowered, .unlowered]
      return ends + reductions + ends + silent(2)
    case 1: return strips + silent(10) + busses + silent(4) + main + silent(2)
    case 2: return strips + silent(20)
    case 5: return busses + main + strips + strips + silent(4)
    case 6:
      let gates = unlowered(2 * XAirLayout.channels)
      return gates + limiters(layout.busReductions) + limiters([layout.mainReduction])
    case 7: return unlowered(counts[number])
    // The recorder of the mixer would get the main mix; its player is silent.
    case 9: return main + silent(2)
    default: return silent(counts[number])
    }
  }

  private static func peaks(_ levels: [String], _ count: Int) -> [Place] {
    levels.map { Place.peak($0) } + silent(count - levels.count)
  }

  private static func sides(_ level: String?) -> [Place] {
    level.map { [Place.channel($0, 0), Place.channel($0, 1)] } ?? silent(2)
  }

  private static func silent(_ count: Int) -> [Place] { Array(repeating: .silent, count: count) }

  private static func unlowered(_ count: Int) -> [Place] {
    Array(repeating: .unlowered, count: count)
  }

  /// The gains of limiters; routes without one are not lowered.
  private static func limiters(_ reductions: [String?]) -> [Place] {
    reductions.map { $0.map(Place.limiter) ?? .unlowered }
  }

  // MARK: - Bytes

  /// A blob of meters: a count, then a level in 1/256 dB for each place, little-endian (XA-21).
  static func blob(_ levels: [Int16]) -> [UInt8] {
    littleEndian(UInt32(levels.count), bytes: 4)
      + levels.flatMap { littleEndian(UInt32(UInt16(bitPattern: $0)), bytes: 2) }
  }

  /// The bytes of a number, the lowest first.
  static func littleEndian(_ bits: UInt32, bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
  }
}
