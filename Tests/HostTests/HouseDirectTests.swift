// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// A card of two routes, a source by ports, and rules for adopted programs.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
  sources:
    deck: {ports: ["mixxx:out_0", "mixxx:out_1"]}
  mix:
    - {from: deck, to: main}
  adopt:
    - {client: cabled, session: {preset: musicMaking}, patch: theirs}
    - {session: {preset: musicMaking}}
  """

extension House {
  /// The answers to `why`, sentence and remedy in one.
  fileprivate func why(_ app: String) async throws -> [String] {
    let result = try await call("why", #"{"app":"\#(app)"}"#)
    guard case .array(let sessions) = result["sessions"] else { return [] }
    return sessions.map { session in
      guard case .string(let sentence) = session["sentence"] else { return "" }
      guard case .string(let remedy) = session["remedy"] else { return sentence }
      return sentence + " " + remedy
    }
  }

  /// A program of one output comes, and connects itself to the card.
  fileprivate func start(_ client: String) async {
    await play { server in
      server.appear(client, outputs: ["out"])
      server.connect("\(client):out", "system:playback_1")
    }
  }
}

/// Programs that reach the hardware past their strips, and strips that reach nothing.
struct HouseDirectTests {
  @Test func `INT-1 after giving way, status and why tell that the program is heard directly`()
    async throws
  {
    try await House.with(graph) { house in
      await house.start("synth")
      for _ in 1...25 { await house.play { $0.connect("synth:out", "system:playback_1") } }
      #expect(await house.kinds().contains("gaveWay"))
      await house.advance(milliseconds: 3_000)
      let session = try #require(await house.session("synth"))
      #expect(session.direct == ["system:playback_1"])
      #expect(session.sounding && session.connected && !session.silentForLong)
      let why = try await house.why("synth")
      #expect(why.count == 1)
      #expect(why.first?.contains("the host has given way") == true)
      #expect(why.first?.contains("patch: theirs") == true)

      // The patch bay lets it go: its strip is heard again.
      await house.play { $0.disconnect("synth:out", "system:playback_1") }
      #expect(await house.session("synth")?.direct == [])
      #expect(try await house.why("synth").allSatisfy { !$0.contains("directly") })
    }
  }

  @Test func `a rule with patch theirs leaves the cables of a program to others`() async throws {
    try await House.with(graph) { house in
      house.server.clearCalls()
      await house.start("cabled")
      #expect(house.server.connections(of: "cabled:out") == ["system:playback_1"])
      #expect(await house.session("cabled")?.direct == ["system:playback_1"])
      #expect(await house.session("cabled")?.sounding == true)
      #expect(try await house.why("cabled").contains { $0.contains("to others") })
      #expect(house.server.calls.allSatisfy { !$0.contains("cabled") })

      // A patch bay connects it to its strip, and takes it from the card.
      await house.play { server in
        server.connect("cabled:out", "house:cabled_in_1")
        server.disconnect("cabled:out", "system:playback_1")
      }
      #expect(house.server.connections(of: "cabled:out") == ["house:cabled_in_1"])
      await house.giveSignal(to: "cabled")
      let session = try #require(await house.session("cabled"))
      #expect(session.active && session.sounding && session.direct == [])
      #expect(await house.status.sends.contains { $0.strip == "cabled" && $0.route == "main" })
    }
  }

  @Test func `a strip whose only audible port was cut by hand is not connected`() async throws {
    try await House.with(graph) { house in
      await house.start("synth")
      #expect(await house.session("synth")?.connected == true)
      await house.play { $0.disconnect("house:main_out_1", "system:playback_1") }
      await house.advance(milliseconds: 1_500)
      let session = try #require(await house.session("synth"))
      #expect(!session.connected && !session.sounding)
      let why = try await house.why("synth")
      #expect(
        why.first?.contains("synth is not connected: somebody has disconnected house:main_out_1")
          == true
      )
      await house.play { $0.connect("house:main_out_1", "system:playback_1") }
      #expect(await house.session("synth")?.connected == true)
    }
  }

  @Test(arguments: [true, false])
  func `a source's program that also plays past its strip is told at once, with the remedy`(
    isBeforeHost: Bool
  ) async throws {
    let come: @Sendable (ScriptedServer) -> Void = { server in
      server.appear("mixxx", outputs: ["out_0", "out_1"])
      server.connect("mixxx:out_0", "system:playback_1")
      server.connect("mixxx:out_1", "system:playback_2")
    }
    try await House.with(graph, isBeforeHost ? come : { _ in }) { house in
      if !isBeforeHost { await house.play(come) }
      let told = await house.events().filter { $0.kind == .error }
      #expect(told.count == 1)
      #expect(told.first?.message.contains("heard twice") == true)
      #expect(told.first?.message.contains("adopt: [{client: \"mixxx\"") == true)
      #expect(
        await house.session("house")?.direct == ["system:playback_1", "system:playback_2"]
      )
      for name in ["mixxx", "deck"] {
        let why = try await house.why(name)
        #expect(why.contains { $0.contains("mixxx feeds source 'deck'") && $0.contains("adopt:") })
      }
      // The user takes the direct cables out; the next time it is told anew.
      await house.play { server in
        server.disconnect("mixxx:out_0", "system:playback_1")
        server.disconnect("mixxx:out_1", "system:playback_2")
      }
      #expect(await house.session("house")?.direct == [])
      await house.play { $0.connect("mixxx:out_0", "system:playback_1") }
      #expect(await house.kinds().contains("error"))
    }
  }

  @Test func `why knows a source by its program's client`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.appear("mixxx", outputs: ["out_0", "out_1"]) }
      let why = try await house.why("mixxx")
      #expect(why.count == 1)
      await #expect(throws: Refusal.self) { try await house.why("nobody") }
    }
  }
}
