// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Clients without support for sessions, adopted by rules of the graph file.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerAdoptionTests {
  private func player(_ name: String, on music: Music) throws -> Player {
    let player = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      to: ["system:playback_1"],
      server: music.host.server,
      name: name,
    )
    player.start()
    return player
  }

  @Test(.jackServer(frames: 64))
  func `RST-2 an adopted client sounds through its strip, and has its gain back after a crash`()
    async throws
  {
    let name = Scratch.uniqueName("adopted")
    let music = try await Music.playing(
      adopting: "[{client: \"/\(name).*/\", session: {preset: musicMaking}, channels: 1}]",
    )
    var player = try player(name, on: music)
    try await music.waitForLevel(1.25)
    let port = "\(name):out_1"
    let strip = "\(name)_in_1"
    try await waitUntil("it is patched through its strip only") {
      try player.connection.connections(ofPort: port) == [music.host.port(strip)]
    }
    // Never twice: the strip opens after the direct connection is gone.
    #expect(Signals.peak(music.samples) <= 1.2501)

    let gain = SetGain.Params(target: .strip(name), gainDB: -20)
    _ = try await music.client.call(SetGain.self, gain)
    try await music.waitForLevel(1.025, tolerance: 0.0001)
    player.close()
    try await music.waitForLevel(1)
    try await waitUntil("its session has ended") {
      music.host.events.contains { $0.message.hasSuffix("(\(name)) ended: died") }
    }
    player = try self.player(name, on: music)
    try await music.waitForLevel(1.025, tolerance: 0.0001)
    let session = try await music.host.status().sessions.first { $0.app == name }
    #expect(session?.id == name)
    #expect(session?.strips == [name])
    player.close()
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `ACT-2 an adopted client that does not mix interrupts another, and a left one is left`()
    async throws
  {
    let first = Scratch.uniqueName("first")
    let second = Scratch.uniqueName("second")
    let left = Scratch.uniqueName("left")
    let rules = "{client: \(left), leave: true}, {client: /.*/, session: {preset: browser}}"
    let music = try await Music.playing(
      session: "{category: playback, options: [mixWithOthers]}",
      adopting: "[{client: /music-.*|e2e-music.*|recorder.*/, leave: true}, \(rules)]",
    )
    let one = try player(first, on: music)
    try await music.waitForLevel(1.25)
    let two = try player(second, on: music)
    try await waitUntil("the second interrupts the first") {
      music.host.events.contains {
        $0.kind == .decision && $0.message.contains("ACT-2") && $0.message.contains(first)
      }
    }
    try await music.waitForLevel(1.25)
    let alone = try player(left, on: music)
    #expect(try alone.connection.connections(ofPort: "\(left):out_1") == ["system:playback_1"])
    let apps = try await music.host.status().sessions.map(\.app)
    #expect(!apps.contains(left))
    #expect(apps.contains(first) && apps.contains(second))
    for player in [one, two, alone] { player.close() }
    try await music.end()
  }
}
