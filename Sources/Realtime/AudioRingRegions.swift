// SPDX-License-Identifier: MIT

/// A run of frames inside a ring: one part, or two where it wraps round the end.
///
/// The pointers are good until the frames are committed or discarded.
///
/// Made by an endpoint of the ring, used on its thread: [any-thread].
@unsafe
public struct AudioRingRegions: BitwiseCopyable {
  /// The older frames, interleaved.
  public let first: UnsafeMutablePointer<Float>

  /// Frames in the first part.
  public let firstFrames: Int

  /// The younger frames, interleaved; meaningless when ``secondFrames`` is 0.
  public let second: UnsafeMutablePointer<Float>

  /// Frames in the second part; 0 where the run does not wrap.
  public let secondFrames: Int

  /// Frames in both parts.
  public var frames: Int {
    @_noLocks @_noAllocation
    get { unsafe firstFrames + secondFrames }
  }

  @_noLocks
  @_noAllocation
  init(
    samples: UnsafeMutablePointer<Float>,
    channels: Int,
    mask: Int,
    position: Int,
    frames: Int,
  ) {
    let start = position & mask
    unsafe first = samples + start * channels
    unsafe firstFrames = min(frames, mask + 1 - start)
    unsafe second = samples
    unsafe secondFrames = frames - firstFrames
  }
}
