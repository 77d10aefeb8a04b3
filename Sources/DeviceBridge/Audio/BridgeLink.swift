// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// All that JACK's thread and the device's thread share: a ring of audio, two queues, and telemetry.
///
/// Each queue has one sender and one receiver. The threads hold the endpoints; whoever runs them keeps
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
