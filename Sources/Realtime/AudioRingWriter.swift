// SPDX-License-Identifier: MIT

import Synchronization

/// The writing end of an ``AudioRing``.
@safe
public struct AudioRingWriter: BitwiseCopyable, @unchecked Sendable {
  let header: UnsafeMutablePointer<SPSCPositions>
  let samples: UnsafeMutablePointer<Float>

  /// Samples in a frame.
  public let channels: Int
  let mask: Int

  /// Frames that can be written right now; the reader can only make it more.
  ///
  /// [any-thread], exact on the writing one.
  public var writableFrames: Int {
    @_noLocks @_noAllocation
    get {
      let written = unsafe header.pointee.written.load(ordering: .relaxed)
      let read = unsafe header.pointee.read.load(ordering: .acquiring)
      return mask + 1 - (written - read)
    }
  }

  /// Frames written since the start.
  ///
  /// [any-thread], exact on the writing one.
  public var position: Int {
    @_noLocks @_noAllocation
    get { unsafe header.pointee.written.load(ordering: .relaxed) }
  }

  /// Room for the next frames; fill it, then call ``commit(frames:)``.
  ///
  /// - Parameter maximumFrames: Frames wanted; fewer come back when fewer are free.
  /// - Returns: Room for those frames, in one part or two.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func regions(maximumFrames: Int) -> AudioRingRegions {
    unsafe AudioRingRegions(
      samples: samples,
      channels: channels,
      mask: mask,
      position: header.pointee.written.load(ordering: .relaxed),
      frames: max(0, min(maximumFrames, writableFrames)),
    )
  }

  /// Hands the first `frames` frames of the region to the reader.
  ///
  /// - Parameter frames: At most the number from ``regions(maximumFrames:)``; more is cut to the free
  ///   space.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func commit(frames: Int) {
    let accepted = max(0, min(frames, writableFrames))
    let written = unsafe header.pointee.written.load(ordering: .relaxed)
    unsafe header.pointee.written.store(written + accepted, ordering: .releasing)
  }

  /// Copies interleaved frames in.
  ///
  /// - Parameters:
  ///   - source: `frames` × ``channels`` samples.
  ///   - frames: Frames offered.
  /// - Returns: Frames written; fewer than offered when the ring is full.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
    let target = unsafe regions(maximumFrames: frames)
    let bytesPerFrame = channels * MemoryLayout<Float>.stride
    unsafe UnsafeMutableRawPointer(target.first)
      .copyMemory(from: source, byteCount: target.firstFrames * bytesPerFrame)
    if unsafe target.secondFrames > 0 {
      unsafe UnsafeMutableRawPointer(target.second).copyMemory(
        from: source + target.firstFrames * channels,
        byteCount: target.secondFrames * bytesPerFrame,
      )
    }
    unsafe commit(frames: target.frames)
    return unsafe target.frames
  }

  /// Interleaves planar channels into the ring, either all frames or none.
  ///
  /// A recorder would rather count a lost block than store one with a hole in the middle.
  ///
  /// - Parameters:
  ///   - planes: ``channels`` pointers to `frames` samples each; nil is silence.
  ///   - frames: Frames offered.
  /// - Returns: Whether they were written; false if they do not all fit.
  ///
  /// [any-thread] but one at a time; never waits, never allocates.
  @_noLocks
  @_noAllocation
  public func writePlanar(_ planes: UnsafePointer<UnsafePointer<Float>?>, frames: Int) -> Bool {
    guard frames <= writableFrames else { return false }
    let start = unsafe header.pointee.written.load(ordering: .relaxed)
    for channel in 0..<channels {
      let plane = unsafe planes[channel]
      for frame in 0..<max(0, frames) {
        let slot = ((start + frame) & mask) * channels + channel
        if let plane = unsafe plane {
          unsafe samples[slot] = plane[frame]
        } else {
          unsafe samples[slot] = 0
        }
      }
    }
    commit(frames: frames)
    return true
  }
}
