// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The musical time of a host that is JACK's timebase master: one tempo, one time signature.
struct HostTimebase: ~Copyable {
  private static let ticksPerBeat = 1920.0

  private let tempoBits = Atomic<UInt64>(120.0.bitPattern)
  private let beatsPerBar = Atomic<Int>(4)
  private let beatType = Atomic<Int>(4)

  /// Sets tempo and time signature from the next cycle on. [control-thread]
  func set(beatsPerMinute: Double, beatsPerBar: Int, beatType: Int) {
    tempoBits.store(beatsPerMinute.bitPattern, ordering: .relaxed)
    self.beatsPerBar.store(beatsPerBar, ordering: .relaxed)
    self.beatType.store(beatType, ordering: .relaxed)
  }

  /// The musical time of a frame. [audio-thread]
  @_noLocks @_noAllocation
  func time(atFrame frame: UInt32, sampleRateHz: UInt32) -> BarBeatTick {
    let tempo = Double(bitPattern: tempoBits.load(ordering: .relaxed))
    let perBar = beatsPerBar.load(ordering: .relaxed)
    let beats = Double(frame) / Double(max(1, sampleRateHz)) * tempo / 60
    let whole = Int(beats)
    let bar = whole / perBar
    return BarBeatTick(
      bar: Int32(truncatingIfNeeded: bar + 1),
      beat: Int32(truncatingIfNeeded: whole % perBar + 1),
      tick: (beats - Double(whole)) * Self.ticksPerBeat,
      barStartTick: Double(bar * perBar) * Self.ticksPerBeat,
      beatsPerBar: Float(perBar),
      beatType: Float(beatType.load(ordering: .relaxed)),
      ticksPerBeat: Self.ticksPerBeat,
      beatsPerMinute: tempo,
    )
  }
}

/// The timebase callback of a host. [audio-thread]
@c(multiroute_inter_app_timebase) @_noLocks @_noAllocation
func hostTimebase(
  _ state: UInt32,
  _ frames: UInt32,
  _ position: UnsafeMutableRawPointer?,
  _ isNewPosition: Int32,
  _ context: UnsafeMutableRawPointer?,
) {
  unsafe TimebaseScope.run(
    state,
    frames,
    position,
    isNewPosition,
    context,
    as: HostTimebase.self,
  ) { timebase, scope in
    let position = scope.position
    unsafe scope.setBarBeatTick(
      timebase.pointee.time(atFrame: position.frame, sampleRateHz: position.sampleRateHz)
    )
  }
}

/// MIDI clock from JACK's transport: 24 pulses a quarter note, start, continue and stop.
///
/// The pulses are at multiples of 1/24 beat of the musical time, at the first frame that is not before them.
/// Belongs to the audio thread.
struct MIDIClock: BitwiseCopyable {
  private let port: MIDIOutputPort
  private var wasRolling = false
  private var lastPulse: Int64 = -1

  init(port: MIDIOutputPort) { self.port = port }

  /// Writes the pulses of this cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let output = scope.events(of: port)
    let transport = scope.transport
    var time = HostTime()
    if let musical = transport.position.barBeatTick {
      time.take(musical, sampleRateHz: Double(transport.position.sampleRateHz))
    }
    let isRolling = transport.state == .rolling && time.hasMusicalTime
    if wasRolling, !isRolling { _ = write(0xfc, output, at: 0) }
    if isRolling, !wasRolling {
      _ = write(transport.position.frame == 0 ? 0xfa : 0xfb, output, at: 0)
      lastPulse = -1
    }
    wasRolling = isRolling
    guard isRolling else { return }
    let framesPerPulse =
      Double(transport.position.sampleRateHz) * 60 / (time.tempo * 24)
    let first = time.beat * 24
    // A pulse that was due within the last frame of the cycle before is the first of this one.
    let earliest = first - 1 / framesPerPulse
    var pulse = Int64(earliest)
    if Double(pulse) < earliest { pulse += 1 }
    if pulse <= lastPulse, lastPulse - pulse < 2 { pulse = lastPulse + 1 }
    while true {
      let offset = Self.frame(notBefore: (Double(pulse) - first) * framesPerPulse)
      guard offset < scope.frames else { return }
      _ = write(0xf8, output, at: offset)
      lastPulse = pulse
      pulse += 1
    }
  }

  /// The first frame that is not before a position; a thousandth of a frame counts as a rounding error. [audio-thread]
  @_noLocks @_noAllocation
  private static func frame(notBefore position: Double) -> UInt32 {
    guard position > 0 else { return 0 }
    let whole = UInt32(position)
    return position - Double(whole) > 0.001 ? whole + 1 : whole
  }

  @_noLocks @_noAllocation
  private func write(_ status: UInt8, _ output: MIDIOutputEvents, at offset: UInt32) -> Bool {
    var byte = status
    return unsafe withUnsafePointer(to: &byte) { pointer in
      unsafe output.write(UnsafeBufferPointer(start: pointer, count: 1), at: offset)
    }
  }
}
