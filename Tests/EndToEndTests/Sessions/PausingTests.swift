// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Adopted players are really paused when their device goes away, or a call comes (PRE).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PausingTests {
  /// A player that only its strip can silence.
  private static let mute = "[{client: app, pause: none, session: {preset: player}}]"

  @Test(
    "RTE-3, VOL-2, PRE: a player without a handle stays muted after an unplug until its user presses play",
    .steppedServer(timeLimitMilliseconds: 1_000)
  )
  func press() async throws {
    let (speakers, player) = try await Speakers.playingApp(adopting: Self.mute, at: 2)
    try await speakers.simulate("unplug", "phones")
    try await speakers.waitForLevel(0, at: 2)
    try await speakers.simulate("plug", "phones")
    let back = speakers.recorder.capturedFrames
    try await waitUntil("half a second is over") {
      speakers.recorder.capturedFrames > back + 24_000
    }
    #expect(Signals.peak(speakers.heard(at: 2).dropFirst(back)) == 0)
    let why = try await speakers.command("why", "app")
    #expect(why.standardOutput.contains("RTE-3"), "\(why.standardOutput)")
    #expect(try await speakers.command("press", "play", "app").end == .code(0))
    try await speakers.waitForLevel(0.25, at: 2)
    #expect(try await speakers.command("press", "pause", "app").end == .code(0))
    try await speakers.waitForLevel(0, at: 2)

    let unknown = try await speakers.command("press", "louder", "app")
    #expect(unknown.end == .code(65) && unknown.standardError.contains("one of play, pause"))
    let nobody = try await speakers.command("press", "play", "nobody")
    #expect(nobody.end != .code(0) && nobody.standardError.contains("app"))
    player.close()
    try await speakers.end()
  }

  @Test(
    "RTE-3, PRE: who was paused when the host was killed does not sound unasked when it is back",
    .steppedServer(timeLimitMilliseconds: 1_000)
  )
  func killed() async throws {
    let (speakers, player) = try await Speakers.playingApp(adopting: Self.mute, at: 2)
    try await speakers.simulate("unplug", "phones")
    try await speakers.waitForLevel(0, at: 2)
    try await speakers.simulate("plug", "phones")
    try await speakers.host.hasKept("isPaused")
    speakers.host.child.send(SIGKILL)
    _ = try await speakers.host.child.waitForEnd()

    let host = try await speakers.restartedHost()
    let strip = host.port("app_in_1")
    try await waitUntil("it is on its strip again") {
      try player.connection.connections(ofPort: "app:out_1") == [strip]
    }
    let back = speakers.recorder.capturedFrames
    try await waitUntil("half a second is over") {
      speakers.recorder.capturedFrames > back + 24_000
    }
    for speaker in [0, 2] {
      #expect(Signals.peak(speakers.heard(at: speaker).dropFirst(back)) == 0)
    }
    #expect(try await speakers.command("press", "play", "app").end == .code(0))
    try await speakers.waitForLevel(0.25, at: 2)
    player.close()
    speakers.recorder.close()
    _ = try await host.stop()
  }

  @Test(
    "INT-5, PRE: JACK's transport stops with an interruption and rolls again after it",
    .steppedServer(timeLimitMilliseconds: 1_000)
  )
  func transport() async throws {
    let (speakers, player) = try await Speakers.playingApp(
      adopting: "[{client: app, pause: transport, session: {category: playback}}]",
      at: 0,
    )
    try player.connection.startTransport()
    func isRolling() throws -> Bool { try player.connection.transport.state == .rolling }
    try await waitUntil("the transport rolls") { try isRolling() }
    try await speakers.simulate("interruption", "begin", "--class", "phone")
    try await speakers.waitForLevel(0, at: 0)
    try await waitUntil("the transport has stopped") { try !isRolling() }
    // It has to go on by itself, without its user.
    try await speakers.simulate("interruption", "end", "--class", "phone")
    try await waitUntil("the transport rolls again") { try isRolling() }
    try await speakers.waitForLevel(0.25, at: 0)
    player.close()
    try await speakers.end()
  }
}
