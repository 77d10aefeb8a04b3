// SPDX-License-Identifier: MIT

import Realtime
import Synchronization

/// The position of the device at a moment; passed from the device's thread to JACK's.
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

/// The place of the ring's frames in the device's count; from JACK's thread to the device's.
///
/// Pure value: [any-thread].
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

/// Reports of the two audio-side threads; each member is written by one thread and read by control.
///
/// Consists of atomics: [any-thread].
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

/// All that JACK's thread and the device's thread share: a ring of audio, two queues, and telemetry.
///
/// Each queue has one sender and one receiver. The threads hold the endpoints; the code that runs them keeps
/// the link alive.
@safe
final class BridgeLink: @unchecked Sendable {
  let direction: BridgeDirection
  let channels: Int
  let telemetry: UnsafeMutablePointer<BridgeTelemetry>
  let info = Mutex(DeviceInfo())

  private let ring: AudioRing
  private let stampQueue = SPSCQueue<DeviceStamp>(minimumCapacity: 1024)
  private let alignmentQueue = SPSCQueue<Alignment>(minimumCapacity: 64)

  /// Room for a third of a second and more: as long as a device may be silent before it counts as gone.
  static let ringFrames = 32_768

  /// Makes the ring and the queues of a bridge. [control-thread]
  init(direction: BridgeDirection, channels: Int) {
    self.direction = direction
    self.channels = channels
    ring = AudioRing(minimumFrames: Self.ringFrames, channels: channels)
    unsafe telemetry = .allocate(capacity: 1)
    unsafe telemetry.initialize(to: BridgeTelemetry())
  }

  deinit {
    unsafe telemetry.deinitialize(count: 1)
    unsafe telemetry.deallocate()
  }

  var ringWriter: AudioRingWriter { ring.writer }
  var ringReader: AudioRingReader { ring.reader }
  var stampSender: SPSCQueue<DeviceStamp>.Producer { stampQueue.producer }
  var stampReceiver: SPSCQueue<DeviceStamp>.Consumer { stampQueue.consumer }
  var alignmentSender: SPSCQueue<Alignment>.Producer { alignmentQueue.producer }
  var alignmentReceiver: SPSCQueue<Alignment>.Consumer { alignmentQueue.consumer }
}

/// Control's request to the device and its thread's answer; under the link's lock.
struct DeviceInfo: Sendable {
  /// The present step of the device's thread.
  enum Stage: Sendable {
    case opening
    case open
    case waiting
    case ended
  }

  /// The requested geometry; nil until JACK's rate is known.
  var wanted: Geometry?
  /// The geometry of the open device; nil while it is not open.
  var actual: Geometry?
  var stage = Stage.waiting
  /// The reason why it is not open, as text.
  var fault: String?
  /// The rate that it had last.
  var lastRateHz: Int?
  /// Why it went away the last time that it did.
  var lastFault: String?
  /// Number of openings.
  var openings = 0
  /// Number of losses after an opening.
  var losses = 0

  /// The rate and the buffer of a device.
  struct Geometry: Equatable, Sendable {
    var rateHz: Int
    var periodFrames: Int
    var periods: Int
  }
}
