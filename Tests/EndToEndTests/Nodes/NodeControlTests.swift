// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Messages between nodes and the running host, and the share of an effect in the sound.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct NodeControlTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "IAA-5: a node plays, rewinds and records by remote control, and other nodes learn of it",
    .steppedServer(frames: 256)
  )
  func remoteControl() async throws {
    let server = try testServer().name
    let synth = try scratch.node("synth", server)
    let host = try await HostProcess.running(
      graph: try scratch.soundGraph(source: "{node: synth}"),
      server: server,
      in: scratch,
    )
    _ = try await host.waitForEvents(.nodeConnected, count: 1)
    let watcher = try Recorder(from: [nil], capacityFrames: 1, server: server, name: "watcher")
    let connection = watcher.connection
    let uuid = try connection.uuid(ofClient: "synth")
    // PublishedNode.send writes 1 for play or pause, 3 for rewind, 2 for record, and counts them.
    func ask(_ event: String, _ count: Int) throws {
      let key = MetadataKey(rawValue: "urn:multiroute:node:remote-control")
      try connection.setMetadata(MetadataValue("\(event) \(count)"), for: key, of: uuid)
    }
    try ask("1", 1)
    try await waitUntil("the transport rolls") {
      try connection.transport.state == .rolling && connection.transport.position.frame > 9_600
    }
    try ask("3", 2)
    try await waitUntil("it is back") { try connection.transport.position.frame < 9_600 }
    try ask("1", 3)
    try await waitUntil("it stands") { try connection.transport.state == .stopped }
    try ask("2", 4)
    let hostID = try connection.uuid(ofClient: host.name)
    let key = MetadataKey(rawValue: "urn:multiroute:host:transport")
    try await waitUntil("it records") {
      let text = try connection.metadata(for: key, of: hostID)?.text ?? ""
      return text.split(separator: " ").dropFirst().first == "1"
    }
    let events = try await host.waitForEvents(.remoteControl, count: 4)
    #expect(
      events.compactMap { $0.remoteControl?.event } == [
        "togglePlayPause", "rewind", "togglePlayPause", "toggleRecord",
      ]
    )
    try await waitUntil("the node has learned of it") {
      synth.standardOutput.contains("the host's transport has changed")
    }
    watcher.close()
    _ = try await host.stop()
  }

  @Test(
    "IAA-1: a generator that follows the transport plays its file from the first frame",
    .steppedServer(frames: 256)
  )
  func player() async throws {
    let server = try testServer().name
    let noise = [Signals.noise(24_000, seed: 1), Signals.noise(24_000, seed: 2)]
    let file = try scratch.write(noise, to: "noise.wav", format: .wavFloat32)
    let generator = try scratch.node("player", server, "--file", file, "--follow-transport")
    let host = try await HostProcess.running(
      graph: try scratch.soundGraph(source: "{node: player}"),
      server: server,
      in: scratch,
    )
    _ = try await host.waitForEvents(.nodeConnected, count: 1)
    // The node's output, and the route's: the strip goes on without a node that is late.
    let recorder = try Recorder(
      from: ["player:out_1", "player:out_2", host.port("main_out_1")],
      capacityFrames: 96_000,
      server: server,
    )
    recorder.start()
    try await waitUntil("a tenth of a second is recorded") { recorder.capturedFrames > 4_800 }
    try recorder.connection.startTransport()
    let recording = try await recorder.finish()
    let start = try #require(recording.channels[0].firstIndex { $0 != 0 })
    #expect(start > 2_400)
    let lead = noise[0].prefix { $0 == 0 }.count
    for channel in 0..<2 {
      let given = Array(recording.channels[channel].dropFirst(start - lead).prefix(20_000))
      #expect(given == Array(noise[channel].prefix(20_000)))
    }
    #expect(recording.channels[2].contains { $0 != 0 })
    recorder.close()
    _ = try await host.stop()
    _ = generator
  }

  @Test(
    "graphs/inter-app.yaml plays a MIDI file through two effects, and a metronome in the headphones",
    .steppedServer(frames: 256, channels: 4)
  )
  func midiFile() async throws {
    let server = try testServer().name
    let host = try HostProcess(
      graph: Repository.path("graphs/inter-app.yaml"),
      server: server,
      environment: try scratch.installNodes([:]),
      in: scratch,
    )
    _ = try await host.attached()
    _ = try await host.waitForEvents(.nodeConnected, count: 3)
    try await host.waitUntilHeard(1)
    // Four half notes of A at 120 beats a minute: 96 ticks are half a second.
    let notes: [UInt8] = [
      0, 0x90, 69, 127, 96, 0x80, 69, 0, 0, 0x90, 69, 127, 96, 0x80, 69, 0, 0, 0xff, 0x2f, 0,
    ]
    let head = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] as [UInt8]
    let track = Array("MTrk".utf8) + [0, 0, 0, UInt8(notes.count)] + notes
    let path = scratch.path + "/song.mid"
    try Data(head + track).write(to: URL(filePath: path))
    let recorder = try Recorder(
      from: [host.port("main_out_1"), host.port("headphones_out_1")],
      capacityFrames: 96_000,
      server: server,
    )
    recorder.start()
    let output = try await Multiroute.run("midi", path, "synth", "--server", server, in: scratch)
    #expect(output.end == .code(0), "\(output.standardError)")
    #expect(output.standardOutput.contains("4 messages, 1 s, to synth:"))
    let recording = try await recorder.finish()
    // One second of A through equalizer and delay; the metronome is in the headphones only.
    let loud = recording.channels[0].count { abs($0) > 0.01 }
    #expect(loud > 24_000, "\(loud)")
    let lead = recording.channels[0].firstIndex { $0 != 0 } ?? 0
    #expect(lead > 1_000)
    #expect(Signals.peak(recording.channels[1]) > 0.01)
    recorder.close()
    _ = try await host.stop()
  }
}
