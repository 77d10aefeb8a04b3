// SPDX-License-Identifier: MIT

/// At which frame time a client began, read anew in every cycle.
///
/// A callback that runs late reads the frame time of a later cycle than its own: the earliest origin is right.
struct FrameOrigin {
  /// The frame time of the first sample.
  private(set) var frame: UInt32?
  /// Whether the last cycle followed on all before it: none was lost in between, and the clock did not jump.
  private(set) var isContinuous: Bool

  private var elapsedFrames: UInt32

  /// Before the first cycle.
  ///
  /// [any-thread]
  @_noLocks @_noAllocation
  init() {
    frame = nil
    isContinuous = true
    elapsedFrames = 0
  }

  /// Takes the next cycle.
  ///
  /// - Parameters:
  ///   - frameTime: The frame time that the callback read.
  ///   - frames: The length of the period.
  ///
  /// [audio-thread]
  @_noLocks @_noAllocation
  mutating func advance(frameTime: UInt32, frames: UInt32) {
    let origin = frameTime &- elapsedFrames
    elapsedFrames &+= frames
    guard let earliest = frame else {
      frame = origin
      return
    }
    let difference = Int32(bitPattern: origin &- earliest)
    isContinuous = difference <= 0
    if difference < 0 { frame = origin }
  }
}
