// SPDX-License-Identifier: MIT

import JACK
import Synchronization

/// When a cycle began, by its first frame.
struct CycleStamp: BitwiseCopyable {
  var frame: Int
  /// On CLOCK_MONOTONIC.
  var nanoseconds: UInt64
}

/// What the callbacks of the bridge benchmark's two clients work on.
@safe
struct BridgeTapState: ~Copyable {
  /// Two channels, one behind the other: what is played again and again, or recorded.
  let samples: UnsafeMutablePointer<Float>
  let frames: Int
  let stamps: UnsafeMutablePointer<CycleStamp>
  let stampCapacity: Int
  let rateHz: Double
  var outputs = InlineArray<2, AudioOutputPort?>(repeating: nil)
  var inputs = InlineArray<2, AudioInputPort?>(repeating: nil)
  var position = 0
  let stampCount = Atomic<Int>(0)
  let recordedFrames = Atomic<Int>(0)

  init(frames: Int, stampCapacity: Int, rateHz: Double) {
    self.frames = frames
    self.stampCapacity = stampCapacity
    self.rateHz = rateHz
    unsafe samples = .allocate(capacity: 2 * frames)
    unsafe samples.initialize(repeating: 0, count: 2 * frames)
    unsafe stamps = .allocate(capacity: stampCapacity)
    unsafe stamps.initialize(
      repeating: CycleStamp(frame: 0, nanoseconds: 0),
      count: stampCapacity,
    )
  }

  deinit {
    unsafe samples.deallocate()
    unsafe stamps.deallocate()
  }

  /// The stamps so far.
  var madeStamps: [CycleStamp] {
    let count = stampCount.load(ordering: .acquiring)
    return unsafe Array(UnsafeBufferPointer(start: stamps, count: count))
  }

  /// Notes when this cycle began, on the clock that all processes share.
  @_noLocks @_noAllocation
  mutating func stamp(_ scope: borrowing ProcessScope, now: UInt64) {
    let count = stampCount.load(ordering: .relaxed)
    guard count < stampCapacity else { return }
    let age = Double(scope.framesSinceCycleStart) / rateHz * 1e9
    unsafe stamps[count] = CycleStamp(frame: position, nanoseconds: now &- UInt64(age))
    stampCount.store(count + 1, ordering: .releasing)
  }
}
