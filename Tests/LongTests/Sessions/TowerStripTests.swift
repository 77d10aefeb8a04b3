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

/// Many sessions, and the volume of a route.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TowerStripTests {
  @Test(.jackServer(frames: 64))
  func `SES-6 a hundred sessions come and go, and none is forgotten`() async throws {
    let music = try await Music.playing()
    // One connection may have 64.
    let others = [try await music.host.control(), try await music.host.control()]
    for number in 0..<100 {
      var params = OpenSession.Params(app: "app")
      params.preset = .musicMaking
      params.ports = number % 4 == 0 ? ["nobody-\(number):*"] : nil
      _ = try await music.activate(params, on: others[number % 2])
    }
    var sessions = try await music.host.status().sessions
    #expect(sessions.count == 101)
    #expect(Set(sessions.map(\.id)).count == 101)
    for other in others { await other.close() }
    try await waitUntil("all sessions have ended with their connections") {
      music.host.events.count {
        $0.kind == .decision && $0.message.hasSuffix("ended: died")
      } == 100
    }
    sessions = try await music.host.status().sessions
    #expect(sessions.map(\.id) == ["host"])
    #expect(try await music.host.status().strips.map(\.id) == ["music"])
    try await music.waitForLevel(1)
    try await music.end()
  }

  @Test(.jackServer(frames: 64))
  func `VOL-1 a route's volume is set, read and reported`() async throws {
    let music = try await Music.playing()
    let half = SetGain.Params(target: .route("main"), gainDB: -6)
    _ = try await music.client.call(SetGain.self, half)
    try await music.waitForLevel(0.501_187, tolerance: 0.0001)
    #expect(try await music.host.status().routes.map(\.gainDB) == [-6])
    let told = try await music.host.waitForEvents(.mixChanged)
    #expect(told.last?.mixChanged?.route == "main")
    try await music.end()
  }
}
