// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc
import InterAppAudio
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Nodes as programs of their own, and hosts that are not `multiroute run`.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct NodeProgramTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    "IAA-2: a host that starts a node gets that one, whoever else of its kind runs",
    .jackServer()
  )
  func started() async throws {
    let server = try testServer().name
    let environment = try scratch.installNodes(["post": Scratch.passingNode("post")])
    let host = try InterAppHost(
      HostDescription(name: "starter"),
      server: server,
      folders: NodeFolders(environment: environment),
    )
    let installed = try #require(await host.nodes().first { $0.description.name == "post" })
    let other = try scratch.passing("other", server)
    try await waitUntil("the other is there", within: .seconds(30)) {
      await host.nodes().contains { $0.client == "other" }
    }
    let running = try await host.start(installed, within: .seconds(60))
    #expect(running.client == "post")
    kill(try #require(running.processID), SIGTERM)
    await host.close()
    other.send(SIGTERM)
  }

  @Test(
    "IAA-5: the player is where the transport is, wherever that has gone",
    .jackServer()
  )
  func follows() async throws {
    let server = try testServer().name
    try scratch.write([PlaceStream.samples], to: "places.wav", format: .wavFloat32)
    let player = try Child(
      Multiroute.path(),
      [
        "node", "run", "player", "--file", "\(scratch.path)/places.wav", "--follow-transport",
        "--name", "deck", "--server", server,
      ],
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    let recorder = try Recorder(from: [nil], capacityFrames: 48_000, server: server)
    let connection = recorder.connection
    try await waitUntil("the player is there", within: .seconds(30)) {
      (try? connection.connect("deck:out_1", to: recorder.portNames[0])) != nil
    }
    for frame: UInt32 in [12_000, 0, 30_000] {
      try connection.stopTransport()
      try await waitUntil("the transport stands") {
        try connection.transport.state == .stopped
      }
      try connection.locateTransport(toFrame: frame)
      try connection.startTransport()
      // JACK waits up to 2 s until every client is ready.
      try await waitUntil("the transport rolls") { try connection.transport.state == .rolling }
      recorder.start()
      let heard = try await recorder.finish().channels[0]
      let now = try connection.transport
      let first = try #require(heard.first { $0 != 0 }, "silent from \(frame) on: \(now)")
      let place = Int((first * Float(PlaceStream.period)).rounded()) - 1
      // Where the place was not read in time it is silent for a quarter of a second at a time, and right then.
      let late = place - Int(frame)
      #expect((0...24_320).contains(late) && late % 256 == 0, "\(place) for \(frame)")
    }
    try connection.stopTransport()
    recorder.close()
    player.send(SIGTERM)
  }
}
