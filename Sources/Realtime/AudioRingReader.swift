// SPDX-License-Identifier: MIT

import Synchronization

/// The reading end of an ``AudioRing``.
@safe
public struct AudioRingReader: BitwiseCopyable, @unchecked Sendable {
  let header: UnsafeMutablePointer<SPSCPositions>
  let samples: UnsafeMutablePointer<Float>

  /// Samples in a frame.
  public let channels: Int
  let mask: Int

  /// Frames that can be read right now; the writer can only make it more.
  ///
  /// [any-thread], exact on the reading one.
  public var readableFrames: Int {
    @_noLocks @_noAllocation
    get {
      let read = unsafe header.pointee.read.load(ordering: .relaxed)
      return unsafe header.pointee.written.load(ordering: .acquiring) - read
    }
  }

  /// Frames read or discarded since the start.
  ///
  /// [any-thread], exact on the reading one.
  public var position: Int {
    @_noLocks @_noAllocation
    get { unsafe header.pointee.read.load(ordering: .relaxed) }
  }

  /// The oldest frames; use them, then call ``discard(frames:)``.
  ///
  /// - Parameter maximumFrames: Frames wanted; fewer come back when fewer are there.
  /// - Returns: Those frames, in one part or two.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func regions(maximumFrames: Int) -> AudioRingRegions {
    unsafe AudioRingRegions(
      samples: samples,
      channels: channels,
      mask: mask,
      position: header.pointee.read.load(ordering: .relaxed),
      frames: max(0, min(maximumFrames, readableFrames)),
    )
  }

  /// Gives the oldest `frames` frames back to the writer.
  ///
  /// - Parameter frames: Frames to drop; more than there are drops all.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func discard(frames: Int) {
    let dropped = max(0, min(frames, readableFrames))
    let read = unsafe header.pointee.read.load(ordering: .relaxed)
    unsafe header.pointee.read.store(read + dropped, ordering: .releasing)
  }

  /// Copies interleaved frames out.
  ///
  /// - Parameters:
  ///   - destination: Room for `frames` × ``channels`` samples; untouched past the frames read.
  ///   - frames: Frames wanted.
  /// - Returns: Frames read; fewer than wanted when the ring runs empty.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func read(into destination: UnsafeMutablePointer<Float>, frames: Int) -> Int {
    let source = unsafe regions(maximumFrames: frames)
    let bytesPerFrame = channels * MemoryLayout<Float>.stride
    unsafe UnsafeMutableRawPointer(destination)
      .copyMemory(from: source.first, byteCount: source.firstFrames * bytesPerFrame)
    if unsafe source.secondFrames > 0 {
      unsafe UnsafeMutableRawPointer(destination + source.firstFrames * channels)
        .copyMemory(from: source.second, byteCount: source.secondFrames * bytesPerFrame)
    }
    unsafe discard(frames: source.frames)
    return unsafe source.frames
  }

  /// Copies frames out into planar channels.
  ///
  /// - Parameters:
  ///   - planes: ``channels`` pointers with room for `frames` samples each; nil skips a channel.
  ///   - frames: Frames wanted.
  /// - Returns: Frames read; fewer than wanted when the ring runs empty. The rest is untouched.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func readPlanar(
    into planes: UnsafePointer<UnsafeMutablePointer<Float>?>,
    frames: Int,
  ) -> Int {
    let count = max(0, min(frames, readableFrames))
    let start = unsafe header.pointee.read.load(ordering: .relaxed)
    for channel in 0..<channels {
      guard let plane = unsafe planes[channel] else { continue }
      for frame in 0..<count {
        unsafe plane[frame] = samples[((start + frame) & mask) * channels + channel]
      }
    }
    discard(frames: count)
    return count
  }
}
