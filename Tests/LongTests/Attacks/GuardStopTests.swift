// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// A host or a guard that a signal has stopped, and the clients that come while no host is there.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct GuardStopTests {
  private static let anybody = "[{client: \"/app.*/\", session: {preset: musicMaking}}]"
  private static let speaker = 2

  @Test(.jackServer(frames: 64))
  func `a stopped guard is replaced, and a stopped host is as good as dead`() async throws {
    let (speakers, player) = try await Speakers.playingApp(adopting: Self.anybody, at: Self.speaker)
    func others() throws -> [String] { try player.connection.connections(ofPort: "app:out_1") }
    let first = try await Guards.ready(of: speakers.host, in: speakers.scratch)
    kill(first, SIGSTOP)
    try await waitUntil("another guard has taken its place") {
      let guards = Guards.processes(of: speakers.host.name)
      return guards.count == 1 && guards[0] != first
    }
    _ = try await Guards.ready(of: speakers.host, in: speakers.scratch)
    // Its placements come with the next turn of the timer at the latest.
    try await speakers.recorder.pass(14_400)
    speakers.host.child.send(SIGSTOP)
    try await waitUntil("the guard has connected the client to the hardware") {
      try others() == [Speakers.ports[Self.speaker]]
    }
    #expect(try await speakers.host.child.waitForEnd() == .signal(SIGKILL))
    let again = try await speakers.restartedHost()
    try await waitUntil("the next host has it") { try others() == [again.port("app_in_1")] }
    _ = try await again.stop()
    player.close()
    speakers.recorder.close()
  }

  @Test(.jackServer(frames: 64))
  func `a new host starts and answers although the guard, or host and guard, are stopped`()
    async throws
  {
    let (speakers, player) = try await Speakers.playingApp(adopting: Self.anybody, at: Self.speaker)
    var host = speakers.host
    for isHostKilled in [true, false] {
      let guardian = try await Guards.ready(of: host, in: speakers.scratch)
      // Nobody else keeps where the client is heard.
      try await host.hasKept(Speakers.ports[Self.speaker])
      kill(guardian, SIGSTOP)
      host.child.send(isHostKilled ? SIGKILL : SIGSTOP)
      host = try await speakers.restartedHost()
      let status = try await host.status()
      #expect(status.host.pid == host.child.pid)
      try await waitUntil("it has the client") {
        try player.connection.connections(ofPort: "app:out_1") == [host.port("app_in_1")]
      }
      try await waitUntil("the stopped guard is gone") {
        !Guards.processes(of: host.name).contains(guardian)
      }
    }
    _ = try await host.stop()
    player.close()
    speakers.recorder.close()
  }

  @Test(.jackServer(frames: 64))
  func `PRM-1 while the host is dead new clients hear no capture, and its name ends no guard`()
    async throws
  {
    let scratch = try Scratch()
    let server = try testServer().name
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: multiRoute, options: [mixWithOthers]}
      permissions: {default: denied}
      routes:
        main: {type: lineOut, ports: ["system:playback_1"]}
      """,
      to: "cut.yaml",
    )
    let host = try await HostProcess.running(graph: graph, server: server, in: scratch)
    let guardian = try await Guards.ready(of: host, in: scratch)
    // Captures are part of the orders that follow.
    let first = try Recorder(from: [nil], capacityFrames: 64, server: server, name: "first")
    try await first.pass(14_400)
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()
    try await waitUntil("the host's client is gone") {
      try !first.connection.ports(kind: AudioKind.self, flags: .output)
        .contains { $0.client == host.name }
    }
    let thief = try Recorder(from: [nil], capacityFrames: 64, server: server, name: "thief")
    let double = try Recorder(from: [nil], capacityFrames: 64, server: server, name: host.name)
    for listener in [first, thief, double] {
      try listener.connection.connect("system:capture_1", to: listener.portNames[0])
      try await waitUntil("\(listener.portNames[0]) is cut") {
        try listener.connection.connections(ofPort: listener.portNames[0]).isEmpty
      }
    }
    #expect(Guards.processes(of: host.name) == [guardian])
    double.close()
    let again = try await HostProcess.running(
      graph: graph,
      server: server,
      name: host.name,
      in: scratch,
    )
    try await waitUntil("a new guard has replaced the old one") {
      let guards = Guards.processes(of: host.name)
      return guards.count == 1 && guards[0] != guardian
    }
    try first.connection.connect("system:capture_1", to: first.portNames[0])
    try await waitUntil("it hears a gate") {
      let sources = try first.connection.connections(ofPort: first.portNames[0])
      return sources.count == 1 && sources != ["system:capture_1"]
    }
    _ = try await again.stop()
    for listener in [first, thief] { listener.close() }
  }
}
