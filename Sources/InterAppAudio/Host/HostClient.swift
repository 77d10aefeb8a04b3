// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// The JACK client of a host and the memory of its callbacks.
///
/// Belongs to one ``InterAppHost``.
///
/// Belongs to the control thread of its host.
@safe
final class HostClient: @unchecked Sendable {
  let connection: ClientConnection
  private let process: UnsafeMutablePointer<HostProcess>
  private let timebase: UnsafeMutablePointer<HostTimebase>
  private var active: ActiveClient?
  /// The outputs whose queues the callback reads: kept until the callback has ended.
  private var outputs: [MIDIOutput] = []

  init(name: String, server: String?) throws(JACKError) {
    let opened = try OpenedClient.open(name: name, server: server)
    connection = opened.connection
    let clock: MIDIOutputPort = try connection.register("midi_clock")
    unsafe process = .allocate(capacity: 1)
    unsafe process.initialize(to: HostProcess(clockPort: clock))
    unsafe timebase = .allocate(capacity: 1)
    unsafe timebase.initialize(to: HostTimebase())
    active = try unsafe opened.activate(
      process: hostProcess,
      context: UnsafeMutableRawPointer(process),
    )
  }

  deinit { close() }

  /// Lets the callback send an output's messages through a port.
  ///
  /// - Returns: False if there is no room.
  func add(_ output: MIDIOutput, port: MIDIOutputPort) -> Bool {
    let slot = HostProcess.Slot(port: port, events: output.consumer)
    guard unsafe process.pointee.add(slot) else { return false }
    outputs.append(output)
    return true
  }

  /// The number of MIDI messages that were sent after their frame.
  var lateMIDICount: Int { unsafe process.pointee.lateCount.load(ordering: .relaxed) }

  func setTempo(
    beatsPerMinute: Double,
    beatsPerBar: Int,
    beatType: Int,
  ) throws(JACKError) {
    unsafe timebase.pointee.set(
      beatsPerMinute: beatsPerMinute,
      beatsPerBar: beatsPerBar,
      beatType: beatType,
    )
    try unsafe connection.becomeTimebaseMaster(
      hostTimebase,
      context: UnsafeMutableRawPointer(timebase),
      conditional: false,
    )
  }

  func close() {
    guard let active = active.take() else { return }
    try? connection.removeAllMetadata(of: connection.uuid)
    guard active.close() != .timedOut else {
      // A client that hangs in closing may still call back, so the memory of its callbacks is never freed.
      for output in outputs { _ = unsafe Unmanaged.passRetained(output) }
      return
    }
    unsafe process.deinitialize(count: 1)
    unsafe process.deallocate()
    unsafe timebase.deinitialize(count: 1)
    unsafe timebase.deallocate()
  }
}

/// The memory of a host's callback: MIDI for its nodes, and the MIDI clock.
///
/// Belongs to the audio thread.
@safe
struct HostProcess: ~Copyable {
  /// The largest number of MIDI outputs of a host.
  static let slotLimit = 32

  /// One MIDI output.
  struct Slot: BitwiseCopyable {
    let port: MIDIOutputPort
    let events: SPSCQueue<ScheduledMIDI>.Consumer
  }

  private let slots: UnsafeMutablePointer<Slot?>
  private let slotCount = Atomic<Int>(0)
  let lateCount = Atomic<Int>(0)
  var clock: MIDIClock

  init(clockPort: MIDIOutputPort) {
    unsafe slots = .allocate(capacity: Self.slotLimit)
    unsafe slots.initialize(repeating: nil, count: Self.slotLimit)
    clock = MIDIClock(port: clockPort)
  }

  deinit { unsafe slots.deallocate() }

  /// Adds an output; the callback may run meanwhile. [control-thread]
  ///
  /// - Returns: False if there is no room.
  func add(_ slot: Slot) -> Bool {
    let count = slotCount.load(ordering: .relaxed)
    guard count < Self.slotLimit else { return false }
    unsafe slots[count] = slot
    slotCount.store(count + 1, ordering: .releasing)
    return true
  }

  /// Writes the MIDI messages that are due in this cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let start = scope.frameTime
    for index in 0..<slotCount.load(ordering: .acquiring) {
      guard let slot = unsafe slots[index] else { continue }
      let output = scope.events(of: slot.port)
      while let event = slot.events.peek() {
        let offset = Int32(bitPattern: event.frame &- start)
        guard offset < Int32(scope.frames) else { break }
        // A late message is written at once and counted: a note off must not be lost.
        if offset < 0 { lateCount.wrappingAdd(1, ordering: .relaxed) }
        guard write(event, to: output, at: UInt32(max(0, offset))) else { break }
        _ = slot.events.pop()
      }
    }
    clock.run(scope)
  }

  @_noLocks @_noAllocation
  private func write(
    _ event: ScheduledMIDI,
    to output: MIDIOutputEvents,
    at offset: UInt32,
  ) -> Bool {
    var bytes = (event.status, event.data1, event.data2)
    return unsafe withUnsafeBytes(of: &bytes) { raw in
      let start = unsafe raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
      return unsafe output.write(
        UnsafeBufferPointer(start: start, count: event.byteCount),
        at: offset,
      )
    }
  }
}

/// The callback of a host. [audio-thread]
@c(multiroute_inter_app_host) @_noLocks @_noAllocation
func hostProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: HostProcess.self) { host, scope in
    unsafe host.pointee.run(scope)
  }
}
