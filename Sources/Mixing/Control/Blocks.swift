// SPDX-License-Identifier: MIT

import CMixKernels
import Realtime

/// The memory of a strip that the audio thread works on.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class StripBlock {
  let channels: Int
  let ramps: RampBlock
  let state: UnsafeMutablePointer<StripState>
  let meters: StripMeterBlock

  init(groupID: UInt32, channels: Int, factors: [Float], taps: TapsRoom) {
    self.channels = channels
    ramps = RampBlock(groupID: groupID, values: factors) {
      $0 == StripState.Factor.gate.rawValue ? .gate : .plain
    }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: StripState(ramps: ramps.group))
    meters = StripMeterBlock(channels: channels, taps: taps)
  }

  deinit {
    unsafe state.deallocate()
  }
}

/// The memory of a cell of the matrix that the audio thread works on.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class SendBlock {
  /// The cell, by the serials of its strip and route: a strip that is removed and added again is a new one.
  struct Key: Hashable {
    var strip: UInt32
    var route: UInt32
    var input: Int
    var output: Int
    var tap: StripState.Tap
  }

  let key: Key
  let ramps: RampBlock
  let state: UnsafeMutablePointer<SendState>
  /// Whether the audio thread has reported that the cell has come to silence.
  var isSettled = false
  /// The serial of the first plan without this cell, once its strip or route is gone.
  var departedBefore: UInt32 = 0

  init(groupID: UInt32, key: Key, coefficient: Float) {
    self.key = key
    ramps = RampBlock(groupID: groupID, values: [coefficient]) { _ in .send }
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: SendState(ramps: ramps.group))
  }

  deinit {
    unsafe state.deallocate()
  }

  /// The coefficient's target.
  var target: Float { ramps.targets[0] }
}

/// The memory of a route that the audio thread works on.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class RouteBlock {
  let channels: Int
  let ramps: RampBlock
  let state: UnsafeMutablePointer<RouteState>
  let meters: MeterBlock
  /// Replaced by another when the look-ahead changes.
  var limiter: LimiterBlock
  /// Made when the route is delayed for the first time, and kept from then on.
  var delay: DelayBlock?

  init(groupID: UInt32, spec: RouteSpec, sampleRateHz: Double, taps: TapsRoom) {
    channels = spec.channels
    ramps = RampBlock(groupID: groupID, values: spec.factors)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: RouteState(ramps: ramps.group))
    meters = MeterBlock(channels: spec.channels, taps: taps)
    limiter = LimiterBlock(
      channels: spec.channels,
      values: LimiterValues(spec.limiter, sampleRateHz: sampleRateHz),
    )
  }

  deinit {
    unsafe state.deallocate()
  }
}

/// The meters of a strip, and the faults of its input.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class StripMeterBlock {
  let faultCells: UnsafeMutablePointer<FaultCell>
  let channels: Int
  private let room: ChannelTaps

  init(channels: Int, taps: TapsRoom) {
    self.channels = channels
    room = taps.take(channels)
    unsafe faultCells = .allocate(capacity: channels)
    for channel in 0..<channels { unsafe (faultCells + channel).initialize(to: FaultCell()) }
  }

  deinit {
    unsafe faultCells.deinitialize(count: channels)
    unsafe faultCells.deallocate()
  }

  /// That of the first channel.
  var taps: UnsafeMutablePointer<MixTaps> { unsafe room.first }

  /// Whether any channel has sounded since this was asked last.
  func takeSounded() -> Bool {
    var hasSounded = false
    for channel in 0..<channels where unsafe mix_taps_take_sounded(taps + channel) {
      hasSounded = true
    }
    return hasSounded
  }

  /// The samples of all channels that were no sound, since the start.
  var faults: InputFaults {
    (0..<channels).reduce(InputFaults()) { unsafe $0 + faultCells[$1].counts }
  }

  /// Reads both taps, which starts new peaks.
  func read(as strip: StripSpec) -> MixMeters.Strip {
    var isHeard = false
    for channel in 0..<channels where unsafe mix_taps_take_signal(taps + channel) { isHeard = true }
    let readings = (0..<channels).map { unsafe mix_taps_read(taps + $0) }
    return MixMeters.Strip(
      id: strip.id,
      pre: readings.map { MeterReading($0.before) },
      post: readings.map { MeterReading($0.behind) },
      isHeard: isHeard,
      tap: strip.meterTap,
    )
  }
}

extension MeterReading {
  fileprivate init(_ reading: MixTapReading) {
    self.init(peakLinear: reading.peak, rmsLinear: reading.mean_square.squareRoot())
  }
}

/// The meters of a route.
///
/// Made, changed and freed by control, while the audio thread works on the memory: [control-thread].
@safe
final class MeterBlock {
  let channels: Int
  private let room: ChannelTaps

  init(channels: Int, taps: TapsRoom) {
    self.channels = channels
    room = taps.take(channels)
  }

  /// That of the first channel.
  var taps: UnsafeMutablePointer<MixTaps> { unsafe room.first }

  /// Reads all meters, which starts new peaks.
  func read() -> [MeterReading] {
    (0..<channels).map { MeterReading(unsafe mix_taps_read(taps + $0).before) }
  }
}
