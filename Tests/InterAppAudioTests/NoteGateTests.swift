// SPDX-License-Identifier: MIT

import InterAppAudio
import JACK
import NodeKit
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct NoteGateTests {
  private let folder: NodeFolder

  init() throws { folder = try NodeFolder() }

  /// A gate, and a host that is connected with it.
  private func connected(
    _ server: String
  ) async throws -> (PublishedNode<NoteGate>, InterAppHost, NodeInstance) {
    let node = try NoteGate.publish(server: server)
    let host = try InterAppHost(
      HostDescription(name: "gater"),
      server: server,
      folders: folder.folders,
    )
    return (node, host, try await host.connect(host.node(named: "gate")))
  }

  @Test(
    "IAA-1: a music effect takes audio and MIDI: the gate opens at the frame of its note",
    .jackServer()
  )
  func gate() async throws {
    let server = try testServer().name
    let (node, host, instance) = try await connected(server)
    let ones = [Float](repeating: 1, count: 4_800)
    let player = try Player(
      [ones, ones],
      loops: true,
      to: ["gate:in_1", "gate:in_2"],
      server: server,
    )
    let recorder = try Recorder(from: ["gate:out_1"], capacityFrames: 96_000, server: server)
    player.start()
    recorder.start()
    // One note opens every sixteenth, two notes every second one: 6000 frames each at 120 beats per minute.
    let first = try host.connection.frameTime &+ 12_000
    let second = first &+ 20_000
    let end = second &+ 40_000
    for (frame, status, note) in [
      (first, 0x90, 60), (second, 0x90, 64), (end, 0x80, 60), (end, 0x80, 64),
    ] as [(UInt32, UInt8, UInt8)] {
      try instance.send(ScheduledMIDI(frame: frame, status: status, data1: note, data2: 100))
    }
    let recording = try await recorder.finish()
    let sound = recording.channels[0]
    func place(_ frame: UInt32) -> Int { Int(Int32(bitPattern: frame &- recording.firstFrame)) }
    #expect(sound.firstIndex { $0 > 0 } == place(first))
    #expect(sound[(place(first) + 200)..<place(second)].allSatisfy { $0 == 1 })
    let steps = sound[(place(second) + 200)..<place(end)]
    // Open and shut alternate with the same number of frames, except for the slopes.
    let open = steps.count { $0 == 1 }
    let shut = steps.count { $0 == 0 }
    #expect((15_000...25_000).contains(open), "\(open)")
    #expect((15_000...25_000).contains(shut), "\(shut)")
    let turns = zip(steps, steps.dropFirst()).count { ($0 == 0) != ($1 == 0) }
    #expect((5...8).contains(turns), "\(turns)")
    #expect(sound[(place(end) + 200)...].allSatisfy { $0 == 0 })
    recorder.close()
    player.close()
    await host.close()
    node.close()
  }

  @Test("IAA-1: 'all notes off' shuts the gate, as it silences an instrument", .jackServer())
  func allNotesOff() async throws {
    let server = try testServer().name
    let (node, host, instance) = try await connected(server)
    let ones = [Float](repeating: 1, count: 4_800)
    let player = try Player([ones], loops: true, to: ["gate:in_1"], server: server)
    let recorder = try Recorder(from: ["gate:out_1"], capacityFrames: 1, server: server)
    player.start()
    for (controller, shuts) in [(123, true), (121, false), (120, true), (124, true)] {
      let now = try host.connection.frameTime
      try instance.send(ScheduledMIDI(frame: now, status: 0x90, data1: 60, data2: 100))
      try await waitUntil("the gate is open") { recorder.latest(256).first?.last == 1 }
      let then = try host.connection.frameTime
      try instance.send(
        ScheduledMIDI(frame: then, status: 0xb0, data1: UInt8(controller), data2: 0)
      )
      let given = recorder.heardFrames
      try await waitUntil("\(controller) is heard") { recorder.heardFrames > given + 24_000 }
      if shuts {
        #expect(recorder.latest(256).first?.allSatisfy { $0 == 0 } == true, "\(controller)")
      } else {
        try await waitUntil("the gate is still open") { recorder.latest(256).first?.last == 1 }
      }
    }
    recorder.close()
    player.close()
    await host.close()
    node.close()
  }
}
