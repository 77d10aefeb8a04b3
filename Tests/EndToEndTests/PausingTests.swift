// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

/// Adopted players are really paused when their device goes away (PRE).
@Suite(.serialized, .timeLimit(.minutes(2)))
struct PausingTests {
  @Test(
    "RTE-3, PRE: mpv is muted and paused over MPRIS on unplug, and heard when its user presses play",
    .jackServer(frames: 64)
  )
  func mpris() async throws {
    let bus = try ShellSession(
      script:
        "dbus-daemon --session --address=\"$DBUS_SESSION_BUS_ADDRESS\" --nofork & read line; kill $!"
    )
    defer { bus.stop() }
    try await waitUntil("there is a bus") {
      FileManager.default.fileExists(atPath: bus.folder + "/run/bus")
    }
    let address = bus.environment.filter { $0.key == "DBUS_SESSION_BUS_ADDRESS" }
    let speakers = try await Speakers.playing(
      adopting: "[{executable: mpv, session: {preset: player}}]",
      environment: address,
    )
    let file = try speakers.scratch.write(
      [Signals.sine(480, seconds: 30)],
      to: "music.wav",
      format: .wavFloat32,
    )
    let player = try Child(
      "mpv",
      [
        "--no-config", "--no-video", "--no-terminal", "--ao=jack", "--jack-name=mpv",
        "--jack-port=\(Speakers.ports[3])", "--script=/usr/lib/mpv-mpris/mpris.so", file,
      ],
      environment: address.merging(["JACK_DEFAULT_SERVER": speakers.server]) { $1 },
      in: speakers.scratch,
    )
    func status() -> String { (try? bus.run(["playerctl", "--player=mpv", "status"])) ?? "" }
    try await waitUntil("it plays through its strip") {
      status() == "Playing" && Signals.peak(speakers.heard(at: 3).suffix(512)) > 0.4
    }
    let unplug = try await Multiroute.run(
      "simulate",
      "unplug",
      "phones",
      "--host",
      speakers.host.name,
      in: speakers.scratch,
    )
    #expect(unplug.end == .code(0), "\(unplug.standardError)")
    try await waitUntil("it is paused") { status() == "Paused" }
    let plug = try await Multiroute.run(
      "simulate",
      "plug",
      "phones",
      "--host",
      speakers.host.name,
      in: speakers.scratch,
    )
    #expect(plug.end == .code(0))
    try await Task.sleep(for: .milliseconds(300))
    #expect(Signals.peak(speakers.heard(at: 3).suffix(512)) == 0)
    try bus.run(["playerctl", "--player=mpv", "play"])
    try await waitUntil("it is heard again") {
      Signals.peak(speakers.heard(at: 3).suffix(512)) > 0.4
    }
    player.send(15)
    try await speakers.end()
  }

  @Test(
    "RTE-3, VOL-2, PRE: a player without a handle stays muted after an unplug until its user presses play",
    .jackServer(frames: 64)
  )
  func press() async throws {
    let speakers = try await Speakers.playing(
      adopting: "[{client: app, pause: none, session: {preset: player}}]"
    )
    let player = try speakers.player("app", [[Float](repeating: 0.25, count: 4_800)])
    try player.connection.connect("app:out_1", to: Speakers.ports[2])
    try await speakers.waitForLevel(0.25, at: 2)
    func run(_ words: String...) async throws -> Multiroute.Output {
      try await Multiroute.run(words + ["--host", speakers.host.name], in: speakers.scratch)
    }
    #expect(try await run("simulate", "unplug", "phones").end == .code(0))
    try await speakers.waitForLevel(0, at: 2)
    #expect(try await run("simulate", "plug", "phones").end == .code(0))
    try await Task.sleep(for: .milliseconds(300))
    #expect(Signals.peak(speakers.heard(at: 2).suffix(512)) == 0)
    let why = try await run("why", "app")
    #expect(why.standardOutput.contains("RTE-3"), "\(why.standardOutput)")
    #expect(try await run("press", "play", "app").end == .code(0))
    try await speakers.waitForLevel(0.25, at: 2)
    #expect(try await run("press", "pause", "app").end == .code(0))
    try await speakers.waitForLevel(0, at: 2)

    let unknown = try await run("press", "louder", "app")
    #expect(unknown.end == .code(65) && unknown.standardError.contains("one of play, pause"))
    let nobody = try await run("press", "play", "nobody")
    #expect(nobody.end != .code(0) && nobody.standardError.contains("app"))
    player.close()
    try await speakers.end()
  }

  @Test(
    "RTE-3, PRE: who was paused when the host was killed does not sound unasked when it is back",
    .jackServer(frames: 64)
  )
  func killed() async throws {
    let speakers = try await Speakers.playing(
      adopting: "[{client: app, pause: none, session: {preset: player}}]",
      seconds: 30,
    )
    let player = try speakers.player("app", [[Float](repeating: 0.25, count: 4_800)])
    try player.connection.connect("app:out_1", to: Speakers.ports[2])
    try await speakers.waitForLevel(0.25, at: 2)
    func run(_ words: String...) async throws -> Multiroute.Output {
      try await Multiroute.run(words + ["--host", speakers.host.name], in: speakers.scratch)
    }
    #expect(try await run("simulate", "unplug", "phones").end == .code(0))
    try await speakers.waitForLevel(0, at: 2)
    #expect(try await run("simulate", "plug", "phones").end == .code(0))
    // What has changed is in the file a moment later.
    try await Task.sleep(for: .milliseconds(400))
    speakers.host.child.send(SIGKILL)
    _ = try await speakers.host.child.waitForEnd()

    let host = try await HostProcess.running(
      graph: speakers.scratch.path + "/speakers.yaml",
      server: speakers.server,
      name: speakers.host.name,
      in: speakers.scratch,
    )
    let strip = host.port("app_in_1")
    try await waitUntil("it is on its strip again") {
      try player.connection.connections(ofPort: "app:out_1") == [strip]
    }
    let back = speakers.recorder.capturedFrames
    try await Task.sleep(for: .milliseconds(500))
    for speaker in [0, 2] {
      #expect(Signals.peak(speakers.heard(at: speaker).dropFirst(back)) == 0)
    }
    #expect(try await run("press", "play", "app").end == .code(0))
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
    let speakers = try await Speakers.playing(
      adopting: "[{client: app, pause: transport, session: {category: playback}}]"
    )
    let player = try speakers.player("app", [[Float](repeating: 0.25, count: 4_800)])
    try player.connection.connect("app:out_1", to: Speakers.ports[0])
    try await speakers.waitForLevel(0.25, at: 0)
    try player.connection.startTransport()
    func isRolling() throws -> Bool { try player.connection.transport.state == .rolling }
    try await waitUntil("the transport rolls") { try isRolling() }
    let client = try await speakers.host.control()
    var call = Simulate.Params(event: .interruptionBegin)
    call.priorityClass = "phone"
    _ = try await client.call(Simulate.self, call)
    try await speakers.waitForLevel(0, at: 0)
    try await waitUntil("the transport has stopped") { try !isRolling() }
    // Nobody presses play: it has to go on by itself.
    call.event = .interruptionEnd
    _ = try await client.call(Simulate.self, call)
    try await waitUntil("the transport rolls again") { try isRolling() }
    try await speakers.waitForLevel(0.25, at: 0)
    await client.close()
    player.close()
    try await speakers.end()
  }
}
