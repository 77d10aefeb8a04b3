// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Programs that reach the hardware past their strips, on a real server.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DirectSoundTests {
  private static let tone = [[Float](repeating: 0.25, count: 4_800)]

  @Test(.jackServer(frames: 64))
  func `INT-1 after giving way to a patch bay, the host tells that the program is heard directly`()
    async throws
  {
    let speakers = try await Speakers.playing(
      adopting: "[{client: app, session: {preset: musicMaking}}]",
    )
    let player = try speakers.player("app", Self.tone)
    func connect() {
      // The host may be removing the same connection.
      _ = try? player.connection.connect("app:out_1", to: Speakers.ports[0])
    }
    try await waitUntil("the host gives way", every: .milliseconds(20)) {
      connect()
      return speakers.host.events.contains { $0.kind == .gaveWay }
    }
    connect()
    try await waitUntil("status tells it") {
      let session = try await speakers.host.status().sessions.first { $0.app == "app" }
      return session?.direct == [Speakers.ports[0]] && session?.sounding == true
    }
    // Once, not twice.
    try await speakers.waitForLevel(0.25, at: 0)
    let why = try await speakers.command("why", "app")
    #expect(why.standardOutput.contains("the host has given way"), "\(why.standardOutput)")
    #expect(!why.standardOutput.contains("sends silence"))
    player.close()
    try await speakers.end()
  }

  @Test(.jackServer(frames: 64))
  func `a source's program that also connects itself to the hardware is told, with the remedy`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {ports: ["mixer:out_1"]}}
      mix: [{from: deck, to: main}]
      """,
      to: "bypass.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let player = try Player(Self.tone, to: ["system:playback_1"], server: server, name: "mixer")
    let told = try await host.waitForEvents(.error)
    #expect(told[0].message.contains("mixer feeds it and plays directly to system:playback_1"))
    #expect(told[0].message.contains("adopt: [{client: \"mixer\""))
    let why = try await Multiroute.run(["why", "mixer", "--host", host.name], in: scratch)
    #expect(why.standardOutput.contains("heard twice"), "\(why.standardOutput)")
    player.close()
    #expect(try await host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 64))
  func `a program's own connections are not made for the program of that name that comes next`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let graph = try scratch.write(
      """
      multiroute: 1
      server: {start: never}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {loop: {ports: ["nobody:out"]}, tone: {tone: {wave: sine}}}
      mix: [{from: loop, to: main}]
      """,
      to: "own.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let (input, output) = (host.port("loop_in_1"), host.port("main_out_1"))
    for isFirst in [true, false] {
      let player = try Player(
        Self.tone,
        to: isFirst ? [input] : [],
        server: server,
        name: "bench",
      )
      let recorder = try Recorder(
        from: [isFirst ? output : nil],
        capacityFrames: 1,
        server: server,
        name: "bench-in",
      )
      // Time in which the host would connect them.
      try await recorder.pass(24_000)
      let own = try player.connection.connections(ofPort: "bench:out_1")
      #expect(own == (isFirst ? [input] : []))
      let heard = try recorder.connection.connections(ofPort: recorder.portNames[0])
      #expect(heard == (isFirst ? [output] : []))
      #expect(try await host.status().patches == [])
      player.close()
      recorder.close()
    }
    #expect(try await host.stop() == .code(0))
  }
}
