// SPDX-License-Identifier: MIT

import Realtime

/// The meters of one channel of a strip, at both taps, from one reading of its input.
///
/// All gains of a strip are numbers that its channels have in common. So the level behind the fader is the level before
/// it times the gain, and needs no samples of its own.
///
/// Written by the audio thread, read by one other: [any-thread].
struct StripMeter: ~Copyable {
  /// Before fader, mute, solo, crossfader, duck and gate; silence where the input is not read.
  let pre = MeterCell()
  /// Behind all of them; silence without an open send.
  let post = MeterCell()
  /// Whether the input has a signal while any send is open, whatever the fader.
  let sound = SoundCell()
  /// The samples of the input that were no sound.
  let faults = FaultCell()

  /// Takes in one block of the input.
  ///
  /// - Parameters:
  ///   - peak: The block's highest magnitude, linear.
  ///   - meanSquare: The block's mean of squares, linear.
  ///   - gain: The gain of the strip, 0 without an open send.
  ///   - isHeard: Whether any send takes the input.
  ///   - smoothing: As for `MeterCell`.
  ///
  /// [audio-thread] never waits, never allocates.
  @_noLocks
  @_noAllocation
  func update(
    peak: Float,
    meanSquare: Float,
    gain: Float,
    isHeard: Bool,
    smoothing: Float,
  ) {
    pre.update(peak: peak, meanSquare: meanSquare, smoothing: smoothing)
    post.update(peak: peak * gain, meanSquare: meanSquare * gain * gain, smoothing: smoothing)
    if isHeard { sound.note(peak: peak) }
  }

  /// Whether both meters have fallen to silence.
  ///
  /// [any-thread] never waits, never allocates.
  var isAtRest: Bool {
    @_noLocks @_noAllocation
    get { pre.isAtRest && post.isAtRest }
  }
}
