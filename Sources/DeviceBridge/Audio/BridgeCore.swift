// SPDX-License-Identifier: MIT

internal import CZitaResampler
internal import JACK
internal import Realtime
internal import Synchronization

/// The bridge's state on JACK's thread, behind one pointer from activation to closing.
@safe
struct BridgeCore: ~Copyable {
  /// JACK's cycle is worked on in pieces of so many frames.
  static var pieceFrames: Int { @_noLocks @_noAllocation get { 1024 } }

  let direction: BridgeDirection
  let channels: Int
  let halfLength: Int
  let slackSeconds: Double
  let jackRateHz: Double
  let deviceRateHz: Double
  let telemetry: UnsafeMutablePointer<BridgeTelemetry>
  let resampler: OpaquePointer
  let scratch: UnsafeMutablePointer<Float>
  /// Capture: room for a fade.
  let edgeBuffer: UnsafeMutablePointer<Float>
  let writer: AudioRingWriter
  let reader: AudioRingReader
  let stamps: SPSCQueue<DeviceStamp>.Consumer
  let alignments: SPSCQueue<Alignment>.Producer
  var inputs = InlineArray<64, AudioInputPort?>(repeating: nil)
  var outputs = InlineArray<64, AudioOutputPort?>(repeating: nil)

  var controller: BridgeController
  /// JACK's frames, and those of the audio.
  var cycles = CycleCount()
  /// Times that cycles of JACK went by without us.
  var missedCycles: UInt64 = 0
  var jackPeriodFrames = 0
  var devicePeriodFrames = 0.0
  var epoch: UInt32 = 0
  /// The device counts anew: it is to be told where the ring belongs, moved or not.
  var isPlaceNew = false
  /// Position of the next frame between resampler and ring, in the ring's count.
  var ringPosition: Int64 = 0
  /// The device's position less the ring's.
  var offsetFrames: Int64 = 0
  /// Capture: silent frames that the resampler is to be given first.
  var silentFrames = 0
  /// Capture: frames that came too late and are to be thrown away.
  var owedFrames = 0
  /// Capture: what the resampler was given last, and how it goes on.
  var edges: EdgeSmoother
  /// Frames of JACK until the fade-in is done.
  var fadeFramesLeft = 0
  var isRunning = false

  /// Makes the state; nil where the rates or the filter's length are outside of what zita takes.
  ///
  /// [control-thread]
  init?(link: BridgeLink, configuration: BridgeConfiguration, jackRateHz: Int, deviceRateHz: Int) {
    direction = link.direction
    channels = link.channels
    halfLength = configuration.halfLengthFrames
    slackSeconds = configuration.slackSeconds
    self.jackRateHz = Double(jackRateHz)
    self.deviceRateHz = Double(deviceRateHz)
    let ratio = self.deviceRateHz / self.jackRateHz
    let made = unsafe zita_resampler_create(
      direction.isPlayback ? ratio : 1 / ratio,
      UInt32(channels),
      UInt32(halfLength),
    )
    guard let made = unsafe made else { return nil }
    unsafe resampler = made
    unsafe telemetry = link.telemetry
    unsafe scratch = .allocate(capacity: Self.pieceFrames * channels)
    unsafe scratch.initialize(repeating: 0, count: Self.pieceFrames * channels)
    unsafe edgeBuffer = .allocate(capacity: EdgeSmoother.fadeFrames * channels)
    unsafe edgeBuffer.initialize(repeating: 0, count: EdgeSmoother.fadeFrames * channels)
    edges = EdgeSmoother(channels: channels)
    writer = link.ringWriter
    reader = link.ringReader
    stamps = link.stampReceiver
    alignments = link.alignmentSender
    ringPosition = Int64(direction.isPlayback ? writer.position : reader.position)
    controller = BridgeController(jackRateHz: self.jackRateHz, deviceRateHz: self.deviceRateHz)
  }

  deinit {
    unsafe zita_resampler_destroy(resampler)
    unsafe scratch.deallocate()
    unsafe edgeBuffer.deallocate()
  }
}
