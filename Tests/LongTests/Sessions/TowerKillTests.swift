// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import TestSupport
import Testing

@testable import EndToEndSupport

/// Killed programs: every other session sounds again as it should.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct TowerKillTests {
  private static let low = Float(pow(10, -14.0 / 20))

  @Test(
    .jackServer(frames: 64),
    arguments: [
      ["--app", "bell", "--class", "alarm", "--category", "playback"],
      ["--preset", "navigation"],
    ],
  )
  func `SES-6 ACT-6 who waited for a killed session is heard again`(
    arguments: [String]
  ) async throws {
    let music = try await Music.playing()
    let isDucker = arguments.contains("navigation")
    var frames: [Int] = []
    for _ in 0..<4 {
      let holder = try music.startHolder(arguments)
      try await music.waitForLevel(isDucker ? Self.low : 0, tolerance: 0.0001)
      let killed = try music.recorder.connection.frameTime
      holder.send(SIGKILL)
      try await music.waitForLevel(1)
      let recording = music.recorder.captured
      let samples = recording.channels[0]
      let back = try #require(samples.lastIndex { $0 < 1 }) + 1
      frames.append(Int(recording.firstFrame) + back - Int(killed))
      #expect(try await music.host.status().sessions.map(\.id) == ["host"])
    }
    // Within 100 ms on an idle machine.
    #expect(frames.min() ?? .max <= 4_800, "heard in full again after \(frames) frames")
    try await music.end()
  }

  /// An adopted client, and its effect on the music.
  struct Adopted: CustomStringConvertible, Sendable {
    let session: String
    let musicLevel: Float
    var description: String { session }
  }

  @Test(
    .jackServer(frames: 64),
    arguments: [
      Adopted(session: "{category: playback, class: alarm}", musicLevel: 0),
      Adopted(session: "{preset: navigation}", musicLevel: low),
    ],
  )
  func `SES-6 RST-2 who waited for a killed adopted client is heard again, round after round`(
    adopted: Adopted
  ) async throws {
    let name = Scratch.uniqueName("adopted")
    let music = try await Music.playing(
      adopting: "[{client: \(name), session: \(adopted.session), gain: -100 dB}]",
    )
    for round in 1...4 {
      let client = try Child(
        "jack_simple_client",
        [name, music.host.server],
        environment: ["JACK_NO_START_SERVER": "1"],
        in: music.scratch,
      )
      try await music.waitForLevel(adopted.musicLevel, tolerance: 0.0001)
      client.send(SIGKILL)
      try await music.waitForLevel(1)
      try await waitUntil("its session has ended \(round) times") {
        music.host.events.count { $0.message.hasSuffix("(\(name)) ended: died") } == round
      }
      #expect(try await music.host.status().sessions.map(\.id) == ["host"])
    }
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `SES-6 RST-2 a killed host comes back with every session at its level`() async throws {
    let name = Scratch.uniqueName("adopted")
    let music = try await Music.playing(
      adopting: "[{client: \(name), session: {preset: musicMaking}, channels: 1}]",
      seconds: 40,
    )
    let voice = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      to: ["system:playback_1"],
      server: music.host.server,
      name: name,
    )
    voice.start()
    try await music.waitForLevel(1.25)
    var host = music.host
    let alarm = ["--app", "bell", "--class", "alarm", "--category", "playback"]
    for arguments in [["--preset", "navigation"], alarm] {
      // Ducked, then interrupted, and then the interrupting session is gone.
      let holder = try music.startHolder(arguments)
      try await waitUntil("the music is lower") { (music.samples.last ?? 1) < 0.5 }
      host.child.send(SIGKILL)
      _ = try await host.child.waitForEnd()
      _ = try await holder.waitForEnd()
      host = try await HostProcess.running(
        graph: music.graph,
        server: music.host.server,
        name: music.host.name,
        in: music.scratch,
      )
      try music.recorder.connection.connect(
        host.port("main_out_1"),
        to: music.recorder.portNames[0],
      )
      try await music.waitForLevel(1.25)
      let sessions = try await host.status().sessions
      #expect(sessions.map(\.app).sorted() == [name, host.name].sorted())
      #expect(sessions.allSatisfy { $0.duckGainDB == 0 })
      try await waitUntil("both are heard") {
        try await host.status().sessions.allSatisfy(\.sounding)
      }
      let port = voice.portNames[0]
      #expect(try voice.connection.connections(ofPort: port) == [host.port("\(name)_in_1")])
    }
    voice.close()
    music.recorder.close()
    music.player.close()
    #expect(try await host.stop() == .code(0))
  }
}
