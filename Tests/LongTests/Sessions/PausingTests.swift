// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// mpv is really paused over MPRIS when its device goes away, or a call comes (PRE).
@Suite(.serialized, .timeLimit(.minutes(3)))
struct PausingTests {
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
