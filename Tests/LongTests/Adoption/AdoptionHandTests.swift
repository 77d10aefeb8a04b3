// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// An adopted client and a user at the patchbay.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct AdoptionHandTests {
  private static let anybody = "[{client: \"/app.*/\", session: {preset: musicMaking}}]"
  private static let tone: [[Float]] = [[Float](repeating: 0.25, count: 4_800)]

  private func others(of player: Player) throws -> [String] {
    try player.connection.connections(ofPort: player.portNames[0])
  }

  @Test(.jackServer(frames: 64))
  func
    `what a user disconnects stays disconnected, and a new patch to the hardware moves the strip`()
    async throws
  {
    let speakers = try await Speakers.playing(adopting: Self.anybody)
    var player = try speakers.player("app", Self.tone)
    try player.connection.connect("app:out_1", to: Speakers.ports[2])
    try await speakers.waitForLevel(0.25, at: 2)
    let strip = speakers.host.port("app_in_1")
    try await waitUntil("it is on its strip") { try others(of: player) == [strip] }

    try await speakers.patch("jack_disconnect", "app:out_1", strip)
    try await speakers.waitForLevel(0, at: 2)
    // Longer than the two seconds after which a patch is a user's, and a client has started: 2.2 s.
    try await speakers.recorder.pass(105_600)
    #expect(try others(of: player).isEmpty)

    // By hand, as it is longer than two seconds ago that it came.
    try await speakers.patch("jack_connect", "app:out_1", Speakers.ports[0])
    try await speakers.waitForLevel(0.25, at: 0)
    try await waitUntil("it is on its strip again") { try others(of: player) == [strip] }
    #expect(speakers.heard(at: 2).suffix(64).allSatisfy { $0 == 0 })

    // Longer than two seconds again.
    try await speakers.recorder.pass(105_600)
    try await speakers.patch("jack_connect", "app:out_1", Speakers.ports[3])
    try await speakers.waitForLevel(0.25, at: 3)
    try await speakers.waitForLevel(0, at: 0)
    // Never twice at one loudspeaker, after any of the connections.
    for speaker in 0..<4 { #expect(Signals.peak(speakers.heard(at: speaker)) <= 0.25) }

    // It crashes and comes back: where its user had it, not where it connects itself to.
    player.close()
    try await speakers.waitForLevel(0, at: 3)
    player = try speakers.player("app", Self.tone)
    try player.connection.connect("app:out_1", to: Speakers.ports[2])
    try await speakers.waitForLevel(0.25, at: 3)
    try await waitUntil("it is on its strip only") { try others(of: player) == [strip] }
    try await speakers.waitForLevel(0, at: 2)
    player.close()
    try await speakers.end()
  }

  @Test(.jackServer(frames: 64))
  func `INT-1 a client that plays to hardware without a route is reported`() async throws {
    let speakers = try await Speakers.playing(adopting: Self.anybody)
    let player = try speakers.player("app", Self.tone)
    let unnamed = "system:playback_1"
    try player.connection.connect("app:out_1", to: unnamed)
    try await waitUntil("the host says so") {
      speakers.host.events.contains {
        $0.decision?.hardware == unnamed && $0.decision?.rule == .int1
      }
    }
    #expect(try others(of: player) == [unnamed])
    let session = try await speakers.host.status().sessions.first { $0.app == "app" }
    #expect(session?.direct == [unnamed])
    let why = try await Multiroute.run(
      "why",
      "app",
      "--host",
      speakers.host.name,
      in: speakers.scratch,
    )
    #expect(why.standardOutput.contains("plays directly to \(unnamed)"), "\(why.standardOutput)")
    player.close()
    try await speakers.end()
  }

  @Test(.jackServer(frames: 64))
  func `connections to other programs are left alone, and so are clients that a rule leaves`()
    async throws
  {
    let speakers = try await Speakers.playing(
      adopting: "[{client: application, leave: true}, \(Self.anybody.dropFirst())",
    )
    let other = try Recorder(
      from: [nil],
      capacityFrames: 64,
      server: speakers.server,
      name: "other"
    )
    let player = try speakers.player("app", Self.tone)
    try player.connection.connect("app:out_1", to: Speakers.ports[0])
    let strip = speakers.host.port("app_in_1")
    try await waitUntil("it is on its strip") { try others(of: player) == [strip] }
    try await speakers.patch("jack_connect", "app:out_1", other.portNames[0])
    // Long enough for a host that would change something.
    try await speakers.recorder.pass(14_400)
    #expect(try Set(others(of: player)) == [strip, other.portNames[0]])
    try await speakers.waitForLevel(0.25, at: 0)

    let left = try speakers.player("application", Self.tone)
    try left.connection.connect("application:out_1", to: Speakers.ports[1])
    try await speakers.waitForLevel(0.25, at: 1)
    try await speakers.recorder.pass(14_400)
    #expect(try others(of: left) == [Speakers.ports[1]])
    for player in [player, left] { player.close() }
    other.close()
    try await speakers.end()
  }

  @Test(.jackServer(frames: 64))
  func `rules find programs by their executable, and all others have a default`() async throws {
    let speakers = try await Speakers.playing(
      adopting: """
        [{executable: jack_simple_client, leave: true},
         {executable: /.*xctest|.*swiftpm-testing-helper/, session: {preset: browser}, gain: -20 dB},
         {session: {preset: game}}]
        """,
    )
    let player = try speakers.player("app", Self.tone)
    try player.connection.connect("app:out_1", to: Speakers.ports[0])
    try await speakers.waitForLevel(0.025, at: 0)
    let tool = try Child(
      "jack_metro",
      ["--bpm", "60", "--name", "metro"],
      environment: ["JACK_DEFAULT_SERVER": speakers.server],
      in: speakers.scratch,
    )
    try await waitUntil("the default adopts the metronome") {
      try await speakers.host.status().sessions.contains { $0.app == "metro" }
    }
    let sessions = try await speakers.host.status().sessions
    #expect(sessions.first { $0.app == "app" }?.category == .playback)
    #expect(sessions.first { $0.app == "metro" }?.category == .ambient)
    tool.send(15)
    player.close()
    try await speakers.end()
  }

  @Test(.jackServer(frames: 64))
  func `an orderly end gives clients back to the hardware, without a gap`() async throws {
    let speakers = try await Speakers.playing(adopting: Self.anybody)
    let noise = Signals.noise(4_800, seed: 3)
    let player = try speakers.player("app", [noise])
    try player.connection.connect("app:out_1", to: Speakers.ports[2])
    let strip = speakers.host.port("app_in_1")
    try await waitUntil("it is on its strip") { try others(of: player) == [strip] }
    _ = try await speakers.host.stop()
    // It sounds on, without the host.
    try await speakers.recorder.pass(9_600)
    #expect(try others(of: player) == [Speakers.ports[2]])
    let played = Played(speakers.heard(at: 2), loop: noise)
    #expect(played.longestGapFrames == 0)
    #expect(played.other == nil)
    player.close()
    speakers.recorder.close()
  }
}
