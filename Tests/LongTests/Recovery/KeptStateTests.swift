// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import JACK
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// The event log of a host that is killed.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct KeptStateTests {
  @Test(.jackServer(frames: 64))
  func `the event log of a host replays to the same decisions`() async throws {
    let scratch = try Scratch()
    let server = try testServer().name
    let log = "\(scratch.path)/events.log"
    let graph = try scratch.write(
      """
      multiroute: 1
      session: {category: playback, options: [mixWithOthers]}
      tower: {classes: {phone: [call]}, appsMayChangePolicy: true}
      permissions: {}
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {tone: {}}}
      mix: [{from: deck, to: main}]
      """,
      to: "log.yaml",
    )
    let host = try HostProcess(
      graph: graph,
      server: server,
      arguments: ["--event-log", log],
      in: scratch,
    )
    try await host.attached()
    let client = try await host.control()
    var prompt = OpenSession.Params(app: "say")
    prompt.preset = .navigation
    var memo = OpenSession.Params(app: "memo")
    memo.category = .playAndRecord
    for params in [prompt, memo, .exclusive(app: "call", class: .phone)] {
      let session = try await client.call(OpenSession.self, params).session
      _ = try? await client.call(ActivateSession.self, .init(session: session))
      _ = try await client.call(RequestPermission.self, .init(session: session))
    }
    // PRM-2: this process has sessions, and cannot answer for its user.
    await #expect(throws: (any Error).self) {
      try await client.call(SetPermission.self, .init(program: "memo", permission: .granted))
    }
    let grant = ["permission", "grant", "memo", "--host", host.name]
    #expect(try await Multiroute.run(grant, in: scratch).end == .code(0))
    _ = try await client.call(Simulate.self, .init(event: .silentSwitch))
    // SES-6: the sessions end with their connection.
    await client.close()
    try await waitUntil("the sessions have ended") {
      host.events.count { $0.message.contains("ended: died") } == 3
    }
    // A log must not need an orderly end.
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()

    let text = try String(contentsOfFile: log, encoding: .utf8)
    let replayed = try EventLog(jsonLines: text).replay()
    let decisions = replayed.effects.joined().compactMap { effect -> String? in
      guard case .log(let decision) = effect else { return nil }
      return decision.description
    }
    let told = host.events.filter { $0.kind == .decision }.map(\.message)
    #expect(decisions == told)
    #expect(told.count > 20)
    #expect(replayed.state.permission(of: "memo") == .granted)
    #expect(replayed.state.isSilentSwitchOn)
  }
}
