// SPDX-License-Identifier: MIT

internal import JACK
internal import Realtime
internal import Synchronization

/// What the callback of a host works on: MIDI for its nodes, and the MIDI clock.
@safe
struct HostProcess: ~Copyable {
  /// As many MIDI outputs as a host can have.
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

  /// Adds an output while the callback may run. [control-thread]
  ///
  /// - Returns: False where there is no room.
  func add(_ slot: Slot) -> Bool {
    let count = slotCount.load(ordering: .relaxed)
    guard count < Self.slotLimit else { return false }
    unsafe slots[count] = slot
    slotCount.store(count + 1, ordering: .releasing)
    return true
  }

  /// Writes what is due in this cycle. [audio-thread]
  @_noLocks @_noAllocation
  mutating func run(_ scope: borrowing ProcessScope) {
    let start = scope.frameTime
    for index in 0..<slotCount.load(ordering: .acquiring) {
      guard let slot = unsafe slots[index] else { continue }
      let output = scope.events(of: slot.port)
      while let event = slot.events.peek() {
        let offset = Int32(bitPattern: event.frame &- start)
        guard offset < Int32(scope.frames) else { break }
        // Too late is played at once, and counted: a note off must not get lost.
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
