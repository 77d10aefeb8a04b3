// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// Adopted players are really paused when their device goes away, or a call comes (PRE).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PausingTests {
  /// A player that only its strip can silence.
  private static let mute = "[{client: app, pause: none, session: {preset: player}}]"

  @Test(
    "RTE-3, PRE: mpv is muted and paused over MPRIS on unplug, and heard when its user presses play",
    .jackServer(frames: 64)
  )
  func mpris() async throws {
    let bus = try MessageBus()
    try await bus.isThere()
    let speakers = try await MPV.speakers(on: bus)
    let player = try MPV(for: speakers, on: bus)
    try await player.isHeard(true)
    try await speakers.simulate("unplug", "phones")
    try await player.says("Paused")
    try await speakers.simulate("plug", "phones")
    let back = speakers.recorder.heardFrames
    try await waitUntil("half a second is over") {
      speakers.recorder.heardFrames > back + 24_000
    }
    try await player.isHeard(false)
    try bus.playerctl("--player=mpv", "play")
    try await player.isHeard(true)
    player.child.send(SIGTERM)
    try await speakers.end()
    bus.stop()
  }

  @Test(
    "INT-5, PRE: a player that a call had paused goes on over MPRIS after the host was killed, one that its user paused does not",
    .jackServer(frames: 64)
  )
  func killedWithMPRIS() async throws {
    let bus = try MessageBus()
    try await bus.isThere()
    let speakers = try await MPV.speakers(on: bus)
    let player = try MPV(for: speakers, on: bus)
    try await player.isHeard(true)
    try await speakers.simulate("interruption", "begin", "--class", "phone")
    try await player.says("Paused")
    try await speakers.host.hasKept("isHeld")
    speakers.host.child.send(SIGKILL)
    _ = try await speakers.host.child.waitForEnd()
    let second = try await speakers.restartedHost(environment: bus.environment)
    try await player.says("Playing")
    try await player.isHeard(true)

    try await speakers.simulate("unplug", "phones")
    try await player.says("Paused")
    try await second.hasKept("isPaused")
    second.child.send(SIGKILL)
    _ = try await second.child.waitForEnd()
    let third = try await speakers.restartedHost(environment: bus.environment)
    try await waitUntil("it is on its strip again") {
      try speakers.recorder.connection.connections(ofPort: "mpv:out_0")
        == [third.port("mpv_in_1")]
    }
    let back = speakers.recorder.heardFrames
    try await waitUntil("a second is over") { speakers.recorder.heardFrames > back + 48_000 }
    #expect(bus.says("Paused", "--player=mpv", "status"))
    try await player.isHeard(false)
    try bus.playerctl("--player=mpv", "play")
    try await player.isHeard(true)
    player.child.send(SIGTERM)
    speakers.recorder.close()
    _ = try await third.stop()
    bus.stop()
  }

  @Test(
    "RTE-3, VOL-2, PRE: a player without a handle stays muted after an unplug until its user presses play",
    .jackServer(frames: 64)
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
    .jackServer(frames: 64)
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
    .jackServer(frames: 64)
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

/// mpv at the loudspeaker of one ear, with a bus for MPRIS.
private struct MPV {
  let child: Child
  private let speakers: Speakers
  private let bus: MessageBus

  /// Loudspeakers whose host adopts mpv.
  static func speakers(on bus: MessageBus) async throws -> Speakers {
    try await Speakers.playing(
      adopting: "[{executable: mpv, session: {preset: player}}]",
      environment: bus.environment,
    )
  }

  /// Starts it with music.
  init(for speakers: Speakers, on bus: MessageBus) throws {
    let file = try speakers.scratch.write(
      [Signals.sine(480, seconds: 60)],
      to: "music.wav",
      format: .wavFloat32,
    )
    self.speakers = speakers
    self.bus = bus
    child = try Child(
      "mpv",
      [
        "--no-config", "--no-video", "--no-terminal", "--ao=jack", "--jack-name=mpv", "--loop",
        "--jack-port=\(Speakers.ports[3])", "--script=/usr/lib/mpv-mpris/mpris.so", file,
      ],
      environment: bus.environment.merging(["JACK_DEFAULT_SERVER": speakers.server]) { $1 },
      in: speakers.scratch,
    )
  }

  /// Waits until it says that it plays or is paused.
  func says(_ status: String) async throws {
    try await waitUntil("mpv is \(status)") { bus.says(status, "--player=mpv", "status") }
  }

  /// Waits until it plays and sounds, or does not sound.
  func isHeard(_ isHeard: Bool) async throws {
    if isHeard { try await says("Playing") }
    try await waitUntil("mpv \(isHeard ? "sounds" : "is silent")") {
      let peak = Signals.peak(speakers.recorder.latest(512)[3])
      return isHeard ? peak > 0.4 : peak == 0
    }
  }
}
