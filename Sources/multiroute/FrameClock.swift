// SPDX-License-Identifier: MIT

/// JACK's frame time without its wrap at 2³², which comes after 25 hours at 48 kHz.
struct FrameClock {
  /// The frames, from the first time that was told on.
  private(set) var frames: Int64
  private var time: UInt32

  init(_ time: UInt32) {
    self.time = time
    frames = Int64(time)
  }

  /// Takes the present time, which is to be told once in 2³¹ frames at least.
  mutating func advance(to time: UInt32) {
    frames += Int64(Int32(bitPattern: time &- self.time))
    self.time = time
  }
}
