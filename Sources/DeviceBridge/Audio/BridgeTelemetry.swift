// SPDX-License-Identifier: MIT

internal import Synchronization

/// What the two audio-side threads tell, each member written by one of them and read by control.
@safe
struct BridgeTelemetry: ~Copyable {
  // MARK: JACK's thread

  let lock = Atomic<UInt8>(LockState.starting.code)
  let offsetPPM = Atomic<UInt64>(0)
  let errorFrames = Atomic<UInt64>(0)
  let delayFrames = Atomic<UInt64>(0)
  let resyncs = Atomic<UInt64>(0)
  let missedCycles = Atomic<UInt64>(0)
  let jackSteps = Atomic<UInt32>(0)
  let deviceSteps = Atomic<UInt32>(0)
  let jackXruns = Atomic<UInt64>(0)
  let fillFrames = Atomic<Int>(0)

  /// Sound passes; control clears it, too, when it closes the client.
  let isSending = Atomic<Bool>(false)

  // MARK: the device's thread

  let deviceXruns = Atomic<UInt64>(0)
  let heartbeatNanoseconds = Atomic<UInt64>(0)

  // MARK: JACK's notification thread

  /// JACK freewheels: no clock means anything.
  let isFreewheeling = Atomic<Bool>(false)

  // MARK: control

  /// The device's thread is to end.
  let shouldStop = Atomic<Bool>(false)

  @_noLocks @_noAllocation
  func store(_ value: Double, in cell: borrowing Atomic<UInt64>) {
    cell.store(value.bitPattern, ordering: .relaxed)
  }

  func load(_ cell: borrowing Atomic<UInt64>) -> Double {
    Double(bitPattern: cell.load(ordering: .relaxed))
  }
}
