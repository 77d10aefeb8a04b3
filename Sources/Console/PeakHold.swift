// SPDX-License-Identifier: MIT

internal import Glibc

/// Holds the highest peak of each channel for a while, so that the eye can read it.
///
/// Pure value: [any-thread].
struct PeakHold: Sendable {
  /// One channel of a strip or route.
  struct Channel: Hashable, Sendable {
    let isRoute: Bool
    let id: String
    let index: Int
  }

  private struct Held: Sendable {
    var level: Float
    var sinceNanoseconds: UInt64
  }

  /// The time for which a peak stands before it falls.
  static let holdSeconds = 1.5
  /// The speed of the fall after that, in dB per second.
  static let fallDBPerSecond = 20.0

  private var held: [Channel: Held] = [:]

  /// Takes a reading, and gives the peak to show: at least `peak`.
  mutating func peak(of channel: Channel, _ peak: Float, atNanoseconds now: UInt64) -> Float {
    let shown = held[channel].map { Self.level(of: $0, atNanoseconds: now) } ?? 0
    guard peak < shown else {
      held[channel] = Held(level: peak, sinceNanoseconds: now)
      return peak
    }
    return shown
  }

  private static func level(of held: Held, atNanoseconds now: UInt64) -> Float {
    guard now > held.sinceNanoseconds else { return held.level }
    let seconds = Double(now - held.sinceNanoseconds) / 1e9 - holdSeconds
    guard seconds > 0 else { return held.level }
    return held.level * Float(pow(10, -fallDBPerSecond * seconds / 20))
  }
}
