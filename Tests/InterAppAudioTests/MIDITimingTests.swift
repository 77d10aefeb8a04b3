// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import Synchronization
import TestSupport
import Testing

/// Notes the frame at which each note arrives; outlives its node.
@safe
final class NoteLog {
  static let capacity = 16_384
  let frames: UnsafeMutablePointer<UInt32>
  let notes: UnsafeMutablePointer<UInt16>
  let count: UnsafeMutablePointer<Atomic<Int>>

  init() {
    unsafe frames = .allocate(capacity: Self.capacity)
    unsafe notes = .allocate(capacity: Self.capacity)
    unsafe count = .allocate(capacity: 1)
    unsafe count.initialize(to: Atomic(0))
  }

  deinit {
    unsafe frames.deallocate()
    unsafe notes.deallocate()
    unsafe count.deinitialize(count: 1)
    unsafe count.deallocate()
  }

  var arrivals: [(frame: UInt32, note: UInt16)] {
    let arrived = unsafe count.pointee.load(ordering: .acquiring)
    return (0..<arrived).map { unsafe (frames[$0], notes[$0]) }
  }
}

@safe
struct NoteLogger: ~Copyable {
  let frames: UnsafeMutablePointer<UInt32>
  let notes: UnsafeMutablePointer<UInt16>
  let count: UnsafeMutablePointer<Atomic<Int>>
}

@c(multiroute_test_note_logger) @_noLocks @_noAllocation
private func noteLogger(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<NoteLogger>.self) { node, scope in
    let output = unsafe node.pointee.io.output(0, scope)
    for index in 0..<output.count { unsafe output[index] = 0 }
    guard let events = unsafe node.pointee.io.midiEvents(scope) else { return }
    for index in 0..<events.count {
      let event = events[index]
      let count = unsafe node.pointee.state.count.pointee.load(ordering: .relaxed)
      guard count < NoteLog.capacity, unsafe event.bytes.count == 3 else { return }
      unsafe node.pointee.state.frames[count] = scope.frameTime &+ event.frameOffset
      let note = unsafe UInt16(event.bytes[1]) << 7 | UInt16(event.bytes[2])
      unsafe node.pointee.state.notes[count] = note
      unsafe node.pointee.state.count.pointee.store(count + 1, ordering: .releasing)
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct MIDITimingTests {
  @Test("IAA-5: 10,000 notes at random frames arrive at the frame they were given", .jackServer())
  func notes() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let log = NoteLog()
    let node = try unsafe PublishedNode(
      NodeDescription(kind: .instrument, subtype: "note", manufacturer: "test", name: "notes"),
      server: server,
      process: noteLogger,
    ) { _, _ in unsafe NoteLogger(frames: log.frames, notes: log.notes, count: log.count) }
    let host = try InterAppHost(
      HostDescription(name: "sequencer"),
      server: server,
      folders: folder.folders,
    )
    while await host.nodes().isEmpty { try await Task.sleep(for: .milliseconds(2)) }
    let instance = try await host.connect(host.node(named: "notes"))
    var generator = SystemRandomNumberGenerator()
    var given: [(frame: UInt32, note: UInt16)] = []
    var frame = try host.connection.frameTime &+ 24_000
    for number in 0..<10_000 {
      frame &+= UInt32.random(in: 0...40, using: &generator)
      let note = UInt16(number % 0x3fff)
      let event = ScheduledMIDI(
        frame: frame,
        status: 0x90,
        data1: UInt8(note >> 7),
        data2: UInt8(note & 0x7f),
      )
      while true {
        do throws(InterAppAudioError) {
          try instance.send(event)
          break
        } catch {
          guard error.code == .instanceTimedOut else { throw error }
          try await Task.sleep(for: .milliseconds(5))
        }
      }
      given.append((frame, note))
    }
    try await waitUntil("all notes have come", within: .seconds(20)) {
      log.arrivals.count == 10_000
    }
    let arrivals = log.arrivals
    let wrong = zip(given, arrivals).filter { $0.0 != $0.1 }
    #expect(wrong.isEmpty, "\(wrong.count) of 10,000, the first \(String(describing: wrong.first))")
    #expect(await host.lateMIDICount == 0)
    node.close()
    await host.close()
  }
}
