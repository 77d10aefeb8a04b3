// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// Sessions with strips of their own: any JACK client's ports, and files.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerStripTests {
  @Test(.steppedServer())
  func `INT-1 ACT-5 a client sounds through its session's strip, not past it`() async throws {
    let music = try await Music.playing()
    let voice = try Player(
      [[Float](repeating: 0.25, count: 4_800)],
      loops: true,
      to: ["system:playback_1"],
      server: music.host.server,
      name: Scratch.uniqueName("voice"),
    )
    voice.start()
    var params = OpenSession.Params(app: "voice")
    params.preset = .musicMaking
    params.ports = ["\(voice.connection.name):*"]
    params.channels = 1
    let opened = try await music.client.call(OpenSession.self, params)
    let strip = try #require(opened.strip)
    // SES-4: its audio runs, so it is active without asking.
    try await music.waitForLevel(1.25)
    let port = voice.portNames[0]
    #expect(try voice.connection.connections(ofPort: port) == [music.host.port("\(strip)_in_1")])

    // A direct connection is removed again.
    try voice.connection.connect(port, to: "system:playback_1")
    try await waitUntil("the direct connection is removed") {
      try voice.connection.connections(ofPort: port) == [music.host.port("\(strip)_in_1")]
    }

    let end = DeactivateSession.Params(session: opened.session)
    _ = try await music.client.call(DeactivateSession.self, end)
    try await music.waitForLevel(1)
    _ = try await music.client.call(ActivateSession.self, .init(session: opened.session))
    try await music.waitForLevel(1.25)

    _ = try await music.client.call(CloseSession.self, .init(session: opened.session))
    try await music.waitForLevel(1)
    try await waitUntil("the strip's port is gone") {
      try voice.connection.connections(ofPort: port).isEmpty
    }
    #expect(try await music.host.status().strips.map(\.id) == ["music"])
    voice.close()
    try await music.end()
  }

  @Test(.steppedServer())
  func `ACT-3 session play lowers the music while a file sounds`() async throws {
    let music = try await Music.playing()
    let file = try music.scratch.write(
      [[Float](repeating: 0.5, count: 24_000)],
      to: "prompt.wav",
      format: .wavPCM16,
    )
    let start = music.samples.count
    let play = try await Multiroute.run(
      "session",
      "play",
      "--preset",
      "navigation",
      "--host",
      music.host.name,
      file,
      in: music.scratch,
    )
    #expect(play.end == .code(0), "\(play.standardError)")
    try await music.waitForLevel(1)
    let samples = music.samples[start...]
    // The prompt in full over the music at −14 dB.
    let both = Float(0.5 + pow(10, -14.0 / 20))
    #expect(samples.count { abs($0 - both) < 0.001 } > 24_000 - 9_600 - 1_000)
    try await music.end()
  }

  @Test(.steppedServer())
  func `ACT-3 a shell script speaks over the music, and gives it back`() async throws {
    let music = try await Music.playing()
    let start = music.samples.count
    let say = try Child(
      Repository.path("scripts/say"),
      ["Turn left in two hundred metres", "--host", music.host.name],
      environment: music.scratch.hostEnvironment.merging(["MULTIROUTE": try Multiroute.path()]) {
        $1
      },
      in: music.scratch,
    )
    let end = try await say.waitForEnd()
    #expect(end == .code(0), "\(say.standardError)")
    try await music.waitForLevel(1)
    // A constant signal at -14 dB for a second at least, and a voice on it.
    let low = Float(pow(10, -14.0 / 20))
    let spoken = music.samples[start...].filter { $0 < 0.9 }.dropFirst(9_600).map { $0 - low }
    #expect(spoken.count > 48_000)
    #expect(abs(spoken.reduce(0, +) / Float(spoken.count)) < 0.02)
    #expect(Signals.rmsDB(spoken) > -40)
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `HW-4 the smallest buffer that an active session prefers holds while it is active`()
    async throws
  {
    let music = try await Music.playing()
    var params = OpenSession.Params(app: "looper")
    params.preset = .musicMaking
    params.preferredIOBufferSeconds = 32.0 / 48_000
    let session = try await music.activate(params)
    func frames() async throws -> Double? {
      try await music.host.status().hardware.ioBufferFrames.actual
    }
    try await waitUntil("the preference holds") { try await frames() == 32 }
    _ = try await music.client.call(CloseSession.self, .init(session: session))
    try await waitUntil("it holds no longer") { try await frames() == 64 }
    try await music.end()
  }
}
