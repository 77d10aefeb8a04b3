// SPDX-License-Identifier: MIT

internal import CJACK

/// Whether JACK's transport moves.
///
/// Pure value: [any-thread].
public enum TransportState: BitwiseCopyable, Hashable, Sendable {
  /// Standing still.
  case stopped
  /// Moving.
  case rolling
  /// Asked to move; clients are getting ready (sync callbacks).
  case starting

  @_noLocks @_noAllocation
  init(_ state: jack_transport_state_t) {
    switch state {
    case JackTransportStopped: self = .stopped
    case JackTransportStarting, JackTransportNetStarting: self = .starting
    default: self = .rolling
    }
  }

  /// Whether both are the same.
  ///
  /// Written out, as the compiler's own is not for the audio thread.
  @_noLocks @_noAllocation
  public static func == (left: TransportState, right: TransportState) -> Bool {
    switch (left, right) {
    case (.stopped, .stopped), (.rolling, .rolling), (.starting, .starting): true
    default: false
    }
  }
}

/// Musical time, as the timebase master gives it.
///
/// Pure value: [any-thread].
public struct BarBeatTick: BitwiseCopyable, Equatable, Sendable {
  /// The bar, from 1.
  public var bar: Int32
  /// The beat within the bar, from 1.
  public var beat: Int32
  /// The tick within the beat, from 0; with a fraction where the timebase master gives one.
  public var tick: Double
  /// Ticks from the beginning to the start of this bar.
  public var barStartTick: Double
  /// Beats in a bar: the upper number of the time signature.
  public var beatsPerBar: Float
  /// The note that is one beat: the lower number of the time signature.
  public var beatType: Float
  /// The resolution of `tick`.
  public var ticksPerBeat: Double
  /// The tempo.
  public var beatsPerMinute: Double

  /// Makes a musical time.
  @_noLocks @_noAllocation
  public init(
    bar: Int32,
    beat: Int32,
    tick: Double,
    barStartTick: Double,
    beatsPerBar: Float,
    beatType: Float,
    ticksPerBeat: Double,
    beatsPerMinute: Double,
  ) {
    self.bar = bar
    self.beat = beat
    self.tick = tick
    self.barStartTick = barStartTick
    self.beatsPerBar = beatsPerBar
    self.beatType = beatType
    self.ticksPerBeat = ticksPerBeat
    self.beatsPerMinute = beatsPerMinute
  }
}

/// A position of JACK's transport.
///
/// Pure value: [any-thread].
public struct TransportPosition: BitwiseCopyable, Equatable, Sendable {
  /// The frame on the time line.
  public var frame: UInt32
  /// The musical time, where a timebase master gives one.
  public var barBeatTick: BarBeatTick?
  /// The sample rate; set by the server.
  public let sampleRateHz: UInt32
  /// The moment the position is meant for, in microseconds of JACK's clock; set by the server.
  public let microseconds: UInt64

  /// Makes a position to go to.
  @_noLocks @_noAllocation
  public init(frame: UInt32, barBeatTick: BarBeatTick? = nil) {
    self.frame = frame
    self.barBeatTick = barBeatTick
    self.sampleRateHz = 0
    self.microseconds = 0
  }

  @_noLocks @_noAllocation
  init(_ position: cjack_position) {
    frame = position.frame
    sampleRateHz = position.sample_rate_hz
    microseconds = position.microseconds
    guard position.has_bbt != 0 else {
      barBeatTick = nil
      return
    }
    barBeatTick = BarBeatTick(
      bar: position.bar,
      beat: position.beat,
      tick: position.tick,
      barStartTick: position.bar_start_tick,
      beatsPerBar: position.beats_per_bar,
      beatType: position.beat_type,
      ticksPerBeat: position.ticks_per_beat,
      beatsPerMinute: position.beats_per_minute,
    )
  }

  var unpacked: cjack_position {
    @_noLocks @_noAllocation get {
      var position = cjack_position()
      position.frame = frame
      guard let barBeatTick else { return position }
      position.has_bbt = 1
      position.bar = barBeatTick.bar
      position.beat = barBeatTick.beat
      position.tick = barBeatTick.tick
      position.bar_start_tick = barBeatTick.barStartTick
      position.beats_per_bar = barBeatTick.beatsPerBar
      position.beat_type = barBeatTick.beatType
      position.ticks_per_beat = barBeatTick.ticksPerBeat
      position.beats_per_minute = barBeatTick.beatsPerMinute
      return position
    }
  }
}

/// JACK's transport at one moment.
///
/// Pure value: [any-thread].
public struct Transport: BitwiseCopyable, Equatable, Sendable {
  /// Whether it moves.
  public let state: TransportState
  /// The position.
  public let position: TransportPosition

  @_noLocks @_noAllocation
  init(state: TransportState, position: TransportPosition) {
    self.state = state
    self.position = position
  }
}
