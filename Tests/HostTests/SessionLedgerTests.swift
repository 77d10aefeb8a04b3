// SPDX-License-Identifier: MIT

import GraphFiles
import Patchbay
import Sessions
import Testing

@testable import Host

struct SessionLedgerTests {
  private func music() throws -> (keeper: SessionLedger, host: SessionID) {
    let keeper = SessionLedger(configuration: TowerConfiguration()) { 0 }
    let description = SessionDescription(
      app: "music",
      isAdopted: true,
      configuration: Preset.player.configuration,
    )
    let session = HeldSession(name: "host", app: "music", owner: .host, strips: ["a", "b"])
    let host = try keeper.open(session, description).id
    return (keeper, host)
  }

  @Test func `ACT-4 a refused session is not held`() throws {
    let (keeper, _) = try music()
    let session = HeldSession(name: "x", app: "x", owner: .source, strips: [])
    #expect(throws: SessionError.self) {
      try keeper.open(session, SessionDescription(app: "x", priorityClass: .phone))
    }
    #expect(keeper.names == ["host"])
    #expect(keeper.state.sessions.count == 1)
  }

  @Test func `RST-2 adopted sessions are forgotten with the server`() throws {
    let (keeper, host) = try music()
    #expect(keeper.session(named: "host") == host)
    #expect(keeper.session(ofStrip: "b") == host)
    _ = keeper.take(.serverLost)
    #expect(keeper.names == ["host"])
    keeper.forgetEnded()
    #expect(keeper.names == [])
  }

  @Test func `SES-1 names on the wire are never given twice`() throws {
    let (keeper, _) = try music()
    #expect(keeper.freeName("voice") { _ in false } == "voice")
    #expect(keeper.freeName("host") { _ in false } == "host-2")
    #expect(keeper.freeName("deck") { ["deck", "deck-2"].contains($0) } == "deck-3")
  }

  @Test func `SES-2 each request is answered with its own reply`() throws {
    let (keeper, host) = try music()
    guard case .done = keeper.ask(.activate, of: host).reply else {
      Issue.record("not done")
      return
    }
    let refused = keeper.ask(.setMode(mode: .dualRoute), of: host).reply
    guard case .refused(let error) = refused else {
      Issue.record("not refused")
      return
    }
    #expect(error.rule == .mod1)
  }

  @Test(arguments: [
    (["voice:*"], "voice:out_1", true), (["voice:*"], "voices:out", false),
    (["a.b:out_?"], "a.b:out_1", true), (["a.b:out_?"], "axb:out_1", false),
    (["/mpv.*:out_[01]/"], "mpv-2:out_1", true), (["x:y", "z:*"], "z:1", true),
  ])
  func `ports are named, globbed or matched`(texts: [String], port: String, fits: Bool) throws {
    let patterns = try SessionPorts(texts, channels: 1).patterns
    #expect(patterns.contains { $0.matches(port) } == fits)
  }
}
