// SPDX-License-Identifier: MIT

import Glibc

/// A clock that wakes a thread once a period, as oscillators and schedulers really do it.
///
/// A plain value: [any-thread].
public struct SimulatedClock: Sendable {
  /// The distribution of late wake-ups.
  public enum Lateness: String, Sendable, CaseIterable, Codable {
    /// A quiet machine: 5 to 15 µs.
    case quiet
    /// Exponential with a mean of 200 µs.
    case exponential
    /// A busy virtual machine: exponential with a mean of 60 µs, 3 in 100 at 1 ms, 3 in 1000 at 4 ms.
    case heavyTail
  }

  /// Frames per second that the clock is said to run at.
  public var nominalRateHz = 48_000.0
  /// Offset at the start, in parts per million.
  public var offsetPPM = 0.0
  /// Amplitude of a sinusoidal drift, in parts per million.
  public var driftPPM = 0.0
  /// Period of the drift, in seconds.
  public var driftSeconds = 600.0
  /// Frames in a period.
  public var periodFrames = 256
  /// The lateness of wake-ups.
  public var lateness = Lateness.quiet
  /// A moment at which the clock stands still, in seconds; nil for none.
  public var stallAtSeconds: Double?
  /// Duration of the standstill, in seconds.
  public var stallSeconds = 0.0

  /// Makes a clock that is right and on time.
  public init() {}

  /// The true position in frames at a moment.
  public func frames(atSeconds seconds: Double) -> Double {
    var running = seconds
    if let stallAtSeconds, seconds > stallAtSeconds {
      running = max(stallAtSeconds, seconds - stallSeconds)
    }
    return nominalRateHz * running * (1 + offsetPPM * 1e-6) + driftFrames(running)
  }

  /// The moment at which the true position is `frames`.
  public func seconds(atFrames frames: Double) -> Double {
    var running = frames / (nominalRateHz * (1 + offsetPPM * 1e-6))
    for _ in 0..<3 {
      let position = nominalRateHz * running * (1 + offsetPPM * 1e-6) + driftFrames(running)
      running += (frames - position) / nominalRateHz
    }
    if let stallAtSeconds, running > stallAtSeconds { return running + stallSeconds }
    return running
  }

  private func driftFrames(_ seconds: Double) -> Double {
    guard driftPPM != 0 else { return 0 }
    let turn = 2 * Double.pi / driftSeconds
    // The integral of driftPPM × sin(turn × t).
    return nominalRateHz * driftPPM * 1e-6 * (1 - cos(turn * seconds)) / turn
  }

  /// Draws how late the next wake-up is, in seconds.
  func drawLateness(_ random: inout some RandomNumberGenerator) -> Double {
    let unit = Double.random(in: 1e-12..<1, using: &random)
    switch lateness {
    case .quiet: return 5e-6 + 10e-6 * unit
    case .exponential: return -200e-6 * log(unit)
    case .heavyTail:
      let dice = Double.random(in: 0..<1, using: &random)
      let mean = dice < 0.003 ? 4e-3 : dice < 0.03 ? 1e-3 : 60e-6
      return -mean * log(unit)
    }
  }
}
