// SPDX-License-Identifier: MIT

import Glibc

/// The behaviour of a simulated bridge, cycle by cycle, and its figures.
///
/// A plain value: [any-thread].
public struct BridgeTrace: Sendable {
  /// One cycle.
  public struct Point: Sendable {
    /// When it began.
    public let seconds: Double
    /// True delay minus target, in frames of the device.
    public let delayErrorFrames: Double
    /// Deviation of the resampler's ratio from the nominal one, in parts per million.
    public let ratioPPM: Double
  }

  /// The cycles with sound.
  public private(set) var points: [Point] = []
  /// Number of moves of the read pointer after sound had begun.
  public private(set) var resyncs = 0
  /// Times that the device took a period that was not all there, after sound had begun.
  public private(set) var underruns = 0
  /// When the bridge said that it was locked.
  public internal(set) var lockedAtSeconds: Double?
  private let periodSeconds: Double

  init(periodSeconds: Double) { self.periodSeconds = periodSeconds }

  mutating func add(seconds: Double, delayErrorFrames: Double, ratioPPM: Double, isMove: Bool) {
    if isMove, !points.isEmpty { resyncs += 1 }
    points.append(
      Point(seconds: seconds, delayErrorFrames: delayErrorFrames, ratioPPM: ratioPPM)
    )
  }

  /// The device takes a period, of which so many frames are not there; 0 or less where all are.
  mutating func take(missingFrames: Double) {
    // The first sound takes a moment to arrive.
    guard missingFrames > 0, let first = points.first, let last = points.last else { return }
    if last.seconds - first.seconds > 0.1 { underruns += 1 }
  }

  /// The root mean square of the delay about its mean, in frames, from a moment on.
  public func wanderFrames(fromSeconds start: Double) -> Double {
    let values = points.filter { $0.seconds >= start }.map(\.delayErrorFrames)
    let mean = values.mean ?? 0
    return values.map { $0 - mean }.rootMeanSquare ?? .infinity
  }

  /// The mean of the delay's error in frames, from a moment on.
  public func meanErrorFrames(fromSeconds start: Double) -> Double {
    points.filter { $0.seconds >= start }.map(\.delayErrorFrames).mean ?? 0
  }

  /// The largest error of the delay in frames, from a moment on.
  public func largestErrorFrames(fromSeconds start: Double) -> Double {
    points.lazy.filter { $0.seconds >= start }.map { abs($0.delayErrorFrames) }.max() ?? .infinity
  }

  /// The signal to noise and distortion of a sine, window by window, as its phase alone makes it.
  ///
  /// In each window a sine of the best frequency and phase is subtracted; the remaining movement of the phase
  /// is noise.
  ///
  /// - Parameters:
  ///   - windowSeconds: The length of a window.
  ///   - start: The start of the first window.
  ///   - frequencyHz: The frequency of the sine.
  ///   - rateHz: The device's rate.
  /// - Returns: Decibels, one for each window.
  public func sinadDB(
    windowSeconds: Double,
    fromSeconds start: Double,
    frequencyHz: Double = 997,
    rateHz: Double = 48_000,
  ) -> [Double] {
    let perWindow = max(3, Int(windowSeconds / periodSeconds))
    let used = points.filter { $0.seconds >= start }
    return stride(from: 0, to: used.count - perWindow + 1, by: perWindow).map { first in
      let window = used[first..<(first + perWindow)].map(\.delayErrorFrames)
      let residual = window.deviationsFromLine.rootMeanSquare ?? 0
      let phase = 2 * Double.pi * frequencyHz * residual / rateHz
      return phase > 0 ? min(200, -20 * log10(phase)) : 200
    }
  }
}
