// SPDX-License-Identifier: MIT

internal import JACK
internal import Synchronization

/// The musical time a host gives as JACK's timebase master: one tempo, one time signature.
struct HostTimebase: ~Copyable {
  private static let ticksPerBeat = 1920.0

  private let tempoBits = Atomic<UInt64>(120.0.bitPattern)
  private let beatsPerBar = Atomic<Int>(4)
  private let beatType = Atomic<Int>(4)

  /// Sets what holds from the next cycle on. [control-thread]
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
