// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import TestSupport
import Testing

/// Logs each message of three bytes with JACK's frame.
@c(multiroute_test_note_logger) @_noLocks @_noAllocation
private func noteLogger(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  unsafe ProcessScope.run(frames, context, as: NodeCallback<MIDILog.Writer>.self) { node, scope in
    let output = unsafe node.pointee.io.output(0, scope)
    for index in 0..<output.count { unsafe output[index] = 0 }
    guard let events = unsafe node.pointee.io.midiEvents(scope) else { return }
    for index in 0..<events.count {
      let event = events[index]
      guard unsafe event.bytes.count == 3 else { return }
      let note = unsafe UInt16(event.bytes[1]) << 7 | UInt16(event.bytes[2])
      unsafe node.pointee.state.append(note, atFrame: scope.frameTime &+ event.frameOffset)
    }
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct MIDITimingTests {
  @Test("IAA-5: 10,000 notes at random frames arrive at the frame they were given", .jackServer())
  func notes() async throws {
    let server = try testServer().name
    let folder = try NodeFolder()
    let log = MIDILog()
    let node = try unsafe PublishedNode(
      NodeDescription(kind: .instrument, subtype: "note", manufacturer: "test", name: "notes"),
      server: server,
      process: noteLogger,
    ) { _, _ in log.writer }
    let host = try InterAppHost(
      HostDescription(name: "sequencer"),
      server: server,
      folders: folder.folders,
    )
    try await waitUntil("the node is found") { await !host.nodes().isEmpty }
    let instance = try await host.connect(host.node(named: "notes"))
    var generator = TestSeed.random()
    var given: [(frame: UInt32, value: UInt16)] = []
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
      try await waitUntil("its queue has room", every: .milliseconds(5)) {
        do throws(InterAppAudioError) {
          try instance.send(event)
          return true
        } catch {
          guard error.code == .instanceTimedOut else { throw error }
          return false
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
