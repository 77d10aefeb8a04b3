// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// State that survives when a host is killed and started again.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct KeptStateTests {
  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `PRM-1 a denial outlives a kill of the host, and its captures stay cut meanwhile`()
    async throws
  {
    let microphone = try await Microphone.guarded(permissions: nil)
    let recorder = try microphone.recorder()
    try await microphone.permission("deny")
    try await microphone.waitUntilHeard(false, by: recorder)
    try await microphone.host.hasKept("denied")
    microphone.host.child.send(SIGKILL)
    _ = try await microphone.host.child.waitForEnd()
    try await microphone.waitUntilHeard(false, by: recorder)

    let again = try await HostProcess.running(
      graph: microphone.graph,
      server: microphone.host.server,
      name: microphone.host.name,
      in: microphone.scratch,
    )
    try recorder.connection.connect(Microphone.port, to: recorder.portNames[0])
    try await microphone.waitUntilConnected(recorder, to: ["\(again.name)-mic:rec_1"])
    try await microphone.waitUntilHeard(false, by: recorder)
    await microphone.control.close()
    recorder.close()
    microphone.player.close()
    _ = try await again.stop()
  }

  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func
    `gains, mutes and the volume of an adopted client outlive a kill; a fresh start forgets them`()
    async throws
  {
    let name = Scratch.uniqueName("kept")
    let music = try await Music.playing(
      adopting: "[{client: \(name), session: {preset: musicMaking}, channels: 1, gain: -3 dB}]"
    )
    let player = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      to: ["system:playback_1"],
      server: music.host.server,
      name: name,
    )
    player.start()
    try await waitUntil("it is adopted") {
      try player.connection.connections(ofPort: "\(name):out_1")
        == [music.host.port("\(name)_in_1")]
    }
    let client = music.client
    _ = try await client.call(SetGain.self, .init(target: .strip(name), gainDB: -20))
    _ = try await client.call(SetGain.self, .init(target: .strip("music"), gainDB: -12))
    _ = try await client.call(SetMute.self, .init(target: .route("main"), muted: true))
    for change in ["-20", "-12", "\"isMuted\" : true"] { try await music.host.hasKept(change) }
    await client.close()
    music.host.child.send(SIGKILL)
    _ = try await music.host.child.waitForEnd()

    for isFresh in [false, true] {
      let host = try await HostProcess.running(
        graph: "\(music.scratch.path)/music.yaml",
        server: music.host.server,
        name: music.host.name,
        arguments: isFresh ? ["--fresh"] : [],
        in: music.scratch,
      )
      try await waitUntil("the client is adopted again") {
        host.events.contains { $0.message.contains("(\(name))") }
      }
      let status = try await host.status()
      #expect(status.strips.first { $0.id == "music" }?.gainDB == (isFresh ? 0 : -12))
      #expect(status.strips.first { $0.id == name }?.gainDB == (isFresh ? -3 : -20))
      #expect(status.routes.first?.muted == !isFresh)
      _ = try await host.stop()
    }
    player.close()
    music.player.close()
    music.recorder.close()
  }

  @Test(.steppedServer(frames: 256, timeLimitMilliseconds: 1_000))
  func `INT-6 a file that resumes goes on where the killed host was`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    struct Kept: Decodable {
      struct State: Decodable { let positions: [String: Double]? }
      let state: State
    }
    // Each sample is the number of its frame, in steps that a float holds.
    let ramp = (0..<(20 * 48_000)).map { Float($0) / Float(1 << 20) }
    try scratch.write([ramp], to: "ramp.wav", format: .wavFloat32)
    let graph = try scratch.write(
      """
      multiroute: 1
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {file: ramp.wav, resume: true}}
      mix: [{from: deck, to: main}]
      """,
      to: "ramp.yaml",
    )
    var host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    try await waitUntil("the file's place is kept, more than a second from its start") {
      let kept = try? JSONDecoder().decode(Kept.self, from: Data(host.keptState().utf8))
      return kept?.state.positions?["deck"].map { $0 > 1.1 } ?? false
    }
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()
    host = try await HostProcess.running(
      graph: graph,
      server: server,
      name: host.name,
      in: scratch,
    )
    let recorder = try Recorder(
      from: [host.port("main_out_1")],
      capacityFrames: 4_800,
      server: server,
    )
    recorder.start()
    let heard = try await recorder.finish().channels[0]
    #expect(try #require(heard.first) * Float(1 << 20) > 48_000, "it began anew")
    recorder.close()
    _ = try await host.stop()
  }
}
