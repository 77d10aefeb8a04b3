// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import TestSupport
import Testing

@testable import Host

/// Programs and users change the graph of the server in any order, and reports come late and several at once.
struct HouseSequenceTests {
  private static let clients = ["mpv", "fixed", "voice", "recorder"]
  private static let names = ["left", "right", "a", "b"]
  private static let hardware = (1...4).map { "system:playback_\($0)" }

  private typealias Act = @Sendable (ScriptedServer) -> Void

  /// One act; it does nothing where the server would refuse it.
  private static func act(_ random: inout SeededRandom) -> Act {
    let client = clients.randomElement(using: &random) ?? "mpv"
    func port() -> String { "\(client):\(names.randomElement(using: &random) ?? "left")" }
    let (first, second) = (port(), port())
    let speaker = hardware.randomElement(using: &random) ?? "system:playback_1"
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return { if $0.info(first) == nil { $0.register(first, .output) } }
    case 1: return { if $0.info(first) != nil { $0.unregister(first) } }
    case 2:
      return { server in
        if server.info(first) != nil, server.info(second) == nil {
          server.rename(first, to: second)
        }
      }
    case 3, 4:
      return { server in
        guard server.info(first) != nil, !server.isConnected(first, speaker) else { return }
        server.connect(first, speaker)
      }
    case 5:
      return { server in
        for other in server.connections(of: first).prefix(1) { server.disconnect(first, other) }
      }
    case 6: return { $0.vanish(client) }
    default:
      return { server in
        // Its ports come in another order, and are connected before the reports of them are read.
        for name in [second, first] where server.info(name) == nil {
          server.register(name, .output)
          server.connect(name, speaker)
        }
      }
    }
  }

  private static func disturb(_ house: House, _ random: inout SeededRandom) async {
    for _ in 0..<40 {
      let acts = (0..<Int.random(in: 1...4, using: &random)).map { _ in act(&random) }
      let areLate = Bool.random(using: &random)
      await house.play { server in
        if areLate { server.hold() }
        for act in acts { act(server) }
        if areLate { server.release() }
      }
      if Int.random(in: 0..<4, using: &random) == 0 { await house.advance(milliseconds: 2_500) }
    }
    await house.advance(milliseconds: 20_000)
  }

  @Test(arguments: 1...6)
  func `after any sequence the host has what reading the graph anew gives it`(round: Int)
    async throws
  {
    var random = TestSeed.random(number: round)
    try await House.with(House.adoptionGraph) { house in
      await Self.disturb(house, &random)
      let before = await house.picture()
      await house.host.readAnew()
      await house.advance(milliseconds: 5_000)
      let differences = await before.differences(from: house.picture())
      #expect(differences == [])
    }
  }

  @Test(arguments: 13...24)
  func `after any sequence no output is heard twice, and each program has one session`(round: Int)
    async throws
  {
    var random = TestSeed.random(number: round)
    try await House.with(House.adoptionGraph) { house in
      await Self.disturb(house, &random)
      let sessions = await house.status.sessions.map(\.app)
      for client in Self.clients where client != "recorder" {
        let outputs = house.server.list(client).map(\.name)
        #expect(sessions.count { $0 == client } == (outputs.isEmpty ? 0 : 1), "\(client)")
        for output in outputs {
          let strips = house.server.connections(of: output).filter { $0.hasPrefix("house:") }
          #expect(strips.count <= 1, "\(output) → \(strips); all outputs: \(outputs)")
        }
      }
    }
  }
}
