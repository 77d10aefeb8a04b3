// SPDX-License-Identifier: MIT

import Realtime

/// How much of a meter's old mean square a block takes away.
struct MeterSmoothing: BitwiseCopyable {
  private let integrationsPerFrame: Float

  init(sampleRateHz: Double) {
    integrationsPerFrame = Float(1 / (MeterCell.integrationSeconds * sampleRateHz))
  }

  /// 1 − exp(−frames ÷ integration time), by a fraction that is within 1 % up to a whole
  /// integration time, and never above 1.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func share(frames: Int) -> Float {
    let time = Float(frames) * integrationsPerFrame
    return min(1, time / (1 + time / 2 + time * time / 12))
  }
}
