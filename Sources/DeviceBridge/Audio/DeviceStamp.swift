// SPDX-License-Identifier: MIT

/// Where the device was at a moment; from the device's thread to JACK's.
struct DeviceStamp: BitwiseCopyable, Sendable {
  /// Frames that the device has taken or given.
  var frames: Int64
  /// When, on JACK's clock.
  var nanoseconds: Int64
  /// Counts up whenever `frames` begins to count from somewhere else.
  var epoch: UInt32
  /// The device's period.
  var periodFrames: UInt32
}

/// Which frame of the ring is to be played when; from JACK's thread to the device's.
struct Alignment: BitwiseCopyable, Sendable {
  /// The count of the device's frames that it holds for.
  var epoch: UInt32
  /// The device's position of a frame less its position in the ring.
  var offsetFrames: Int64

  @_noLocks @_noAllocation
  init(epoch: UInt32, offsetFrames: Int64) {
    self.epoch = epoch
    self.offsetFrames = offsetFrames
  }
}
