// SPDX-License-Identifier: MIT

package import ControlProtocol
internal import Glibc

/// The levels of all strips and routes as a page gets them: the places by name once, then only numbers.
///
/// Pure value: [any-thread].
package struct MeterFrame: Hashable, Sendable {
  /// The level of a channel without any sound.
  package static let silence = Int16.min

  /// The places, in the order of their levels.
  package let places: [WebPlaces.Place]
  /// The peak and the RMS of each channel, in hundredths of dBFS.
  private let levels: [Int16]

  /// Takes levels, those of strips at the taps that displays show.
  package init(_ meters: Meters) {
    let strips = meters.strips.map { ("strip", $0.levels(at: $0.tap ?? .post)) }
    let routes = meters.routes.map { ("route", $0) }
    let all = strips + routes
    places = all.map { kind, levels in
      WebPlaces.Place(path: ParameterPath.path([kind, levels.id]), channels: levels.peak.count)
    }
    levels = all.flatMap { _, levels in
      zip(levels.peak, levels.rms).flatMap { [Self.hundredths($0), Self.hundredths($1)] }
    }
  }

  /// The bytes, all numbers with their lowest byte first: the number of places, 0, the generation, then the levels.
  ///
  /// - Parameter generation: The number that tells of which places the levels are.
  /// - Returns: One frame.
  package func bytes(generation: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + 2 * levels.count)
    Self.append(UInt16(clamping: places.count), to: &bytes)
    Self.append(UInt16(0), to: &bytes)
    Self.append(generation, to: &bytes)
    for level in levels { Self.append(level, to: &bytes) }
    return bytes
  }

  /// A linear level in hundredths of dBFS.
  static func hundredths(_ linear: Float) -> Int16 {
    guard linear > 0 else { return silence }
    let decibels = 20 * log10f(linear)
    guard decibels.isFinite else { return linear > 1 ? .max : silence }
    return Int16(min(max(decibels * 100, -32_767), 32_767).rounded())
  }

  private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
    for place in 0..<number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }
}
