// SPDX-License-Identifier: MIT

/// Takes the edge off where sound does not go on as it was: before a gap, after it, and where frames are left out.
///
/// The jump between the last frame and the next is added to the following frames and fades away, so that a
/// late machine causes a gap without a click. All other frames stay unchanged.
public struct EdgeSmoother: BitwiseCopyable {
  /// Length of the fade of a jump in frames: 2.7 ms at 48 kHz.
  public static var fadeFrames: Int { @_noLocks @_noAllocation get { 128 } }

  private let channels: Int
  private var last = InlineArray<64, Float>(repeating: 0)
  private var jump = InlineArray<64, Float>(repeating: 0)
  private var framesLeft = 0
  private var isSilent = true
  private var isBroken = false

  /// Makes a smoother before any sound.
  ///
  /// - Parameter channels: Samples in a frame, 1 to 64.
  ///
  /// [any-thread] never waits, never allocates.
  @_noLocks @_noAllocation
  public init(channels: Int) { self.channels = channels }

  /// Marks a break: the next frames do not continue the last ones.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func breakOff() { isBroken = true }

  /// Makes the next frames, where they are others than those of `source`.
  ///
  /// - Parameters:
  ///   - source: The frames that come next, interleaved; nil is silence.
  ///   - frames: The number of frames.
  ///   - buffer: Room for ``fadeFrames`` frames.
  /// - Returns: Number of frames in the buffer that replace the source's; 0 when the source is used unchanged.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func prepare(
    _ source: UnsafePointer<Float>?,
    frames: Int,
    in buffer: UnsafeMutablePointer<Float>,
  ) -> Int {
    guard frames > 0 else { return 0 }
    if unsafe isBroken || (source == nil) != isSilent {
      for channel in 0..<channels { unsafe jump[channel] = last[channel] - (source?[channel] ?? 0) }
      framesLeft = Self.fadeFrames
      unsafe isSilent = source == nil
      isBroken = false
    }
    let count = min(frames, framesLeft)
    for frame in 0..<count {
      let rest = Float(framesLeft - frame) / Float(Self.fadeFrames)
      let gain = rest * rest * (3 - 2 * rest)
      for channel in 0..<channels {
        let index = frame * channels + channel
        unsafe buffer[index] = (source?[index] ?? 0) + jump[channel] * gain
      }
    }
    return count
  }

  /// Frames have been used: those of the buffer, or those of the source.
  ///
  /// - Parameters:
  ///   - samples: The frames, interleaved; nil is silence.
  ///   - frames: The number of frames.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks @_noAllocation
  public mutating func use(_ samples: UnsafePointer<Float>?, frames: Int) {
    guard frames > 0 else { return }
    framesLeft = max(0, framesLeft - frames)
    let start = (frames - 1) * channels
    for channel in 0..<channels { unsafe last[channel] = samples?[start + channel] ?? 0 }
  }
}
