// SPDX-License-Identifier: MIT

import CZitaResampler
import JACK
import Realtime
import Synchronization

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

  /// Capture: the connections that each port may have; nil lets everybody hear it.
  var approvals = InlineArray<64, ApprovedConnections?>(repeating: nil)

  var controller: BridgeController
  /// JACK's frames, and those of the audio.
  var cycles = CycleCount()
  /// Times that cycles of JACK went by without us.
  var missedCycles: UInt64 = 0
  var jackPeriodFrames = 0
  var devicePeriodFrames = 0.0
  var epoch: UInt32 = 0
  /// The device counts anew: send it the ring's place, even when the pointer has not moved.
  var isPlaceNew = false
  /// Position of the next frame between resampler and ring, in the ring's count.
  var ringPosition: Int64 = 0
  /// The device's position less the ring's.
  var offsetFrames: Int64 = 0
  /// Capture: silent frames to feed to the resampler first.
  var silentFrames = 0
  /// Capture: late frames to discard.
  var owedFrames = 0
  /// Capture: smooths the edges of gaps in the resampler's input.
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

/// When JACK's cycles begin, and which of them went by without us.
extension BridgeCore {
  /// A gap in JACK's count that is longer than this is no missed cycle.
  private static var longestGapSeconds: Double { @_noLocks @_noAllocation get { 1 } }

  /// Stamps JACK's clock. [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func stampCycle(_ scope: borrowing ProcessScope, isFreewheeling: Bool) {
    let isNewPeriod = jackPeriodFrames != 0 && Int(scope.frames) != jackPeriodFrames
    var time = scope.frameTime
    var start = cycleStartNanoseconds(scope)
    if scope.frameTime != time {
      // A cycle began between the two.
      time = scope.frameTime
      start = cycleStartNanoseconds(scope)
    }
    let missed = cycles.begin(frameTime: time)
    if isFreewheeling || isNewPeriod {
      // Without a wall clock, or after a stop of JACK, the counts are aligned anew.
      cycles.align()
      if isFreewheeling { return }
      controller.jackPeriodChanged()
    }
    // One cycle, called for late, can be stamped twice.
    if cycles.hasMoved {
      controller.addJACKStamp(frames: cycles.clockFrames, nanoseconds: start)
    }
    if missed != 0, !isNewPeriod { skip(frames: missed) }
  }

  /// The audio of these frames is lost; what follows keeps its place.
  @_noLocks @_noAllocation
  private mutating func skip(frames: Int) {
    // Without sound, and after a pause of the whole program, the place is found anew anyway.
    guard isRunning, abs(Double(frames)) <= Self.longestGapSeconds * jackRateHz else { return }
    missedCycles &+= 1
    let moved = Double(frames) * controller.clockRatio
    let whole = Int(moved < 0 ? moved - 0.5 : moved + 0.5)
    movePointer(by: direction.isPlayback ? whole : -whole)
  }

  /// The driver's wake-up time, before the clients that ran ahead of this one in the cycle.
  ///
  /// JACK's own start of the cycle is smoothed by a loop that follows every late wake-up; this one is
  /// whole frames, but raw.
  @_noLocks @_noAllocation
  private func cycleStartNanoseconds(_ scope: borrowing ProcessScope) -> Int64 {
    let age = Double(scope.framesSinceCycleStart) / jackRateHz
    return Int64(scope.nowMicroseconds) * 1000 - Int64(age * 1e9)
  }
}
