// SPDX-License-Identifier: MIT

import CJACK
import CRealtime
import JACK
import Realtime
import Synchronization

/// One cycle as the audio thread saw it.
struct CycleSample: BitwiseCopyable, Sendable {
  /// Frame time of the cycle's first frame.
  var frame: UInt32
  /// Scheduled start of the cycle on the monotonic clock.
  var startNanoseconds: UInt64
  /// From the scheduled start to the callback; negative where the server was early.
  var delayNanoseconds: Int64
  /// Duration of the previous cycle's callback.
  var previousCallbackNanoseconds: UInt64
}

/// State of the audio thread of a wake-up measurement.
struct WakeUpProbe: ~Copyable {
  private let queue = SPSCQueue<CycleSample>(minimumCapacity: 1 << 15)
  private let producer: SPSCQueue<CycleSample>.Producer
  private let lost = Atomic<UInt64>(0)
  /// The audio thread's own.
  private var callbackNanoseconds: UInt64 = 0

  /// Makes the value. [control-thread]
  init() { producer = queue.producer }

  /// Takes the next sample. [control-thread]
  func next() -> CycleSample? { queue.consumer.pop() }

  /// Samples that found the queue full. [any-thread]
  var lostCount: UInt64 { lost.load(ordering: .relaxed) }

  /// Notes one cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let now = realtime_now_nanoseconds()
    // JACK's clock is CLOCK_MONOTONIC_RAW with jackd2, so only JACK's own time may be compared with
    // its cycle times: the two clocks are a quarter of a second apart within an hour.
    let times = scope.cycleTimes
    let late = jack_get_time() &- times.startMicroseconds
    let delay = Int64(bitPattern: late) &* 1000
    let sample = CycleSample(
      frame: times.frame,
      startNanoseconds: now &- UInt64(bitPattern: delay),
      delayNanoseconds: delay,
      previousCallbackNanoseconds: callbackNanoseconds,
    )
    if !producer.push(sample) { lost.wrappingAdd(1, ordering: .relaxed) }
    callbackNanoseconds = realtime_now_nanoseconds() &- now
  }
}

/// The callback of the client that measures its wake-up. [audio-thread]
@c(latency_lab_wake_up) @_noLocks @_noAllocation
func wakeUpProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: WakeUpProbe.self) { probe, scope in
    unsafe probe.pointee.run(scope)
  }
}
