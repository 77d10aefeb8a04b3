// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: ["usb:out_1", "usb:out_2"], fallback: main}
  sources:
    deck: {ports: ["deck:left", "deck:right"]}
  mix:
    - {from: deck, to: main}
  adopt:
    - {client: mpv, session: {category: playback, options: [mixWithOthers]}}
  """

extension House {
  /// The server dies and comes back, and the host with it.
  fileprivate func restartServer() async {
    await play { $0.die() }
    await advance(milliseconds: 500)
    await play { $0.comeBack() }
    await advance(milliseconds: 500)
  }
}

/// The loss of the server (RST).
struct HouseRecoveryTests {
  @Test func `RST-1 the loss is reported, and the return`() async throws {
    try await House.with(graph) { house in
      _ = await house.events()
      await house.play { $0.die() }
      #expect(await house.status.server.state == .lost)
      #expect(await house.kinds().contains("serverLost"))
      await house.play { $0.comeBack() }
      await house.advance(milliseconds: 200)
      #expect(await house.status.server.state == .running)
      #expect(await house.kinds().contains("serverBack"))
      #expect(await house.status.server.restarts == 1)
    }
  }

  @Test func `a server that runs no cycles is told of once, and its return`() async throws {
    try await House.with(graph) { house in
      await house.advance(milliseconds: 500)
      _ = await house.events()
      await house.standStill(milliseconds: 1_900)
      #expect(await house.events().isEmpty)
      await house.standStill(milliseconds: 30_000)
      let told = await house.events().map(\.message)
      #expect(told.count == 1 && told.first?.contains("it runs no cycles") == true, "\(told)")
      #expect(await house.status.server.fault?.contains("it runs no cycles") == true)
      await house.advance(milliseconds: 500)
      let back = await house.events().filter { $0.kind == .serverBack }.map(\.message)
      #expect(back.count == 1 && back.first?.contains("after 31 s") == true, "\(back)")
      #expect(await house.status.server.fault == nil)
      #expect(await house.status.server.restarts == 0)
    }
  }

  @Test func `a host that ends while it attaches again leaves nothing on the server`() async throws
  {
    try await House.with(graph) { house in
      let (untilAnswered, holding) = AsyncStream.makeStream(of: Never.self)
      await house.play { $0.die() }
      await house.play { server in
        server.untilAnswered = untilAnswered
        server.comeBack()
      }
      await house.advance(milliseconds: 100)
      #expect(await house.host.run { _ in house.server.openings } == 2)
      let stopping = Task { await house.host.stop(fadeSeconds: 0) }
      await house.settle()
      holding.finish()
      await stopping.value
      #expect(await house.host.run { _ in house.server.presence == nil })
      #expect(await house.status.server.state == .stopped)
    }
  }

  @Test func `RST-2 routes are connected again`() async throws {
    try await House.with(graph) { house in
      await house.restartServer()
      #expect(house.server.isConnected("house:main_out_1", "system:playback_1"))
    }
  }

  @Test func `RST-2 gains and mutes are those of before`() async throws {
    try await House.with(graph) { house in
      try await house.call("setGain", #"{"strip":"deck","gainDB":-9}"#)
      try await house.call("setMute", #"{"route":"main","muted":true}"#)
      await house.restartServer()
      let status = await house.status
      #expect(status.strips.first { $0.id == "deck" }?.gainDB == -9)
      #expect(status.routes.first { $0.name == "main" }?.muted == true)
    }
  }

  @Test func `RST-2 connections that a user made are made again`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.appear("scope", inputs: ["in"]) }
      // A program connects itself for two seconds.
      await house.advance(milliseconds: 2_000)
      await house.play { $0.connect("house:main_out_1", "scope:in") }
      await house.restartServer()
      await house.play { $0.appear("scope", inputs: ["in"]) }
      #expect(house.server.isConnected("house:main_out_1", "scope:in"))
    }
  }

  @Test func `RST-2 connections that a user took away stay away`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.disconnect("house:main_out_2", "system:playback_2") }
      await house.advance(milliseconds: 1_500)
      await house.restartServer()
      #expect(!house.server.isConnected("house:main_out_2", "system:playback_2"))
      #expect(house.server.isConnected("house:main_out_1", "system:playback_1"))
    }
  }

  @Test func `RST-2 an adopted program is adopted again when it comes back, with its fader`()
    async throws
  {
    try await House.with(graph) { house in
      let start: @Sendable (ScriptedServer) -> Void = { server in
        server.appear("mpv", outputs: ["left"])
        server.connect("mpv:left", "system:playback_1")
      }
      await house.play(start)
      try await house.call("setGain", #"{"strip":"mpv","gainDB":-15}"#)
      await house.restartServer()
      #expect(await house.status.sessions.allSatisfy { $0.app != "mpv" })
      await house.play(start)
      #expect(await house.status.strips.first { $0.id == "mpv" }?.gainDB == -15)
    }
  }

  @Test func `RST-1 sessions of programs end with the server`() async throws {
    try await House.with(graph) { house in
      try await house.call("openSession", #"{"app":"game","category":"playback"}"#)
      try await house.call("activateSession", #"{"session":"game"}"#)
      await house.play { $0.die() }
      #expect(await house.status.sessions.allSatisfy { !$0.active })
      await #expect(throws: Refusal.self) {
        try await house.call("activateSession", #"{"session":"game"}"#)
      }
    }
  }

  @Test func `a gain that is set while the server is away is heard when it is back`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.die() }
      try await house.call("setGain", #"{"strip":"deck","gainDB":-3}"#)
      await house.play { $0.comeBack() }
      await house.advance(milliseconds: 200)
      #expect(await house.status.strips.first { $0.id == "deck" }?.gainDB == -3)
    }
  }

  @Test(arguments: 1...5) func `the host comes back each time`(losses: Int) async throws {
    try await House.with(graph) { house in
      for _ in 1...losses { await house.restartServer() }
      #expect(await house.status.server.restarts == losses)
      #expect(house.server.openings == losses + 1)
      #expect(house.server.isConnected("house:main_out_1", "system:playback_1"))
    }
  }

  @Test func `simulated loss is a loss`() async throws {
    try await House.with(graph) { house in
      try await house.call("simulate", #"{"event":"serverLoss"}"#)
      await house.advance(milliseconds: 200)
      #expect(await house.status.server.restarts == 1)
    }
  }

  @Test func `a session's strip is refused while the server is away`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.die() }
      await #expect(throws: Refusal.self) {
        try await house.call("openSession", #"{"app":"game","ports":["game:*"]}"#)
      }
    }
  }
}
