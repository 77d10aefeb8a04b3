// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// The host dies, and the show goes on.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct GuardTests {
  private static let rounds = 3
  private static let anybody = "[{client: \"/app.*/\", session: {preset: musicMaking}}]"

  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `when the host is killed its clients sound on, and it takes them back without a gap`()
    async throws
  {
    let speakers = try await Speakers.playing(adopting: Self.anybody, seconds: 10 + 8 * Self.rounds)
    let noise = Signals.noise(4_800, seed: 4)
    let player = try speakers.player("app", [noise])
    try player.connection.connect("app:out_1", to: Speakers.ports[3])
    let strip = speakers.host.port("app_in_1")
    func others() throws -> [String] { try player.connection.connections(ofPort: "app:out_1") }
    var host = speakers.host
    for _ in 0..<Self.rounds {
      try await waitUntil("it is on its strip") { try others() == [strip] }
      try await waitUntil("there is a guard") { Guards.processes(of: host.name).count == 1 }
      // The guard has its orders some moments later, invisible from outside.
      try await speakers.recorder.pass(14_400)
      let death = speakers.recorder.capturedFrames
      host.child.send(SIGKILL)
      try await waitUntil("the guard has patched it to the hardware") {
        try others() == [Speakers.ports[3]]
      }
      // For how long it is silent in between, `multiroute bench guard` measures.
      try await speakers.recorder.pass(14_400)
      let back = speakers.recorder.capturedFrames
      let dead = Array(speakers.heard(at: 3).prefix(back).dropFirst(death))
      #expect(dead.suffix(256).contains { $0 != 0 })

      host = try await HostProcess.running(
        graph: speakers.scratch.path + "/speakers.yaml",
        server: speakers.server,
        name: host.name,
        in: speakers.scratch,
      )
      try await waitUntil("the host has taken it back") { try others() == [strip] }
      try await speakers.recorder.pass(14_400)
      let returned = Array(speakers.heard(at: 3).dropFirst(back))
      let played = Played(returned, loop: noise)
      #expect(played.longestGapFrames <= 64)
      #expect(played.other == nil)
      try await waitUntil("the guard of before has ended") {
        Guards.processes(of: host.name).count <= 1
      }
    }
    _ = try await host.stop()
    try await waitUntil("the guard has ended") { Guards.processes(of: host.name).isEmpty }
    #expect(try others() == [Speakers.ports[3]])
    player.close()
    speakers.recorder.close()
  }

  @Test(.steppedServer(timeLimitMilliseconds: 1_000))
  func `PRM-1 captures stay cut when the host dies, and a host without a guard leaves none`()
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
    let listener = try Recorder(from: [nil], capacityFrames: 64, server: server, name: "listener")
    func sources() throws -> [String] {
      try listener.connection.connections(ofPort: listener.portNames[0])
    }
    try listener.connection.connect("system:capture_1", to: listener.portNames[0])
    try await waitUntil("it hears a gate") {
      try sources().count == 1 && sources() != ["system:capture_1"]
    }
    try await waitUntil("there is a guard") { Guards.processes(of: host.name).count == 1 }
    // Its orders come some moments later.
    try await listener.pass(14_400)
    host.child.send(SIGKILL)
    try await waitUntil("the gate is gone") { try sources().isEmpty }
    try listener.connection.connect("system:capture_1", to: listener.portNames[0])
    try await waitUntil("the guard cuts it again") { try sources().isEmpty }
    let second = try await HostProcess.running(
      graph: graph,
      server: server,
      name: host.name,
      arguments: ["--no-guard"],
      in: scratch,
    )
    try await waitUntil("the guard is gone") { Guards.processes(of: host.name).isEmpty }
    _ = try await second.stop()
    listener.close()
  }
}
