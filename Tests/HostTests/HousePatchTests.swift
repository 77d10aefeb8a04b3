// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// Two routes and a program's ports, on a server that is played by hand.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: ["usb:out_1", "usb:out_2"]}
  sources:
    deck: {ports: ["deck:left", "deck:right"]}
  mix:
    - {from: deck, to: main}
    - {from: deck, to: phones}
  """

/// The connections that the host makes, and those that it leaves alone.
struct HousePatchTests {
  @Test func `a route is connected at the attachment`() async throws {
    try await House.with(graph) { house in
      #expect(house.server.isConnected("house:main_out_1", "system:playback_1"))
      #expect(house.server.isConnected("house:main_out_2", "system:playback_2"))
      let route = await house.status.routes.first { $0.name == "main" }
      #expect(route?.available == true)
    }
  }

  @Test func `a route waits for its ports, and takes them when they come`() async throws {
    try await House.with(graph) { house in
      let before = await house.status.routes.first { $0.name == "phones" }
      #expect(before?.available == false)
      _ = await house.events()
      await house.play { $0.appear("usb", inputs: ["out_1", "out_2"]) }
      #expect(house.server.isConnected("house:phones_out_1", "usb:out_1"))
      #expect(house.server.isConnected("house:phones_out_2", "usb:out_2"))
      #expect(await house.kinds().contains("routeAvailable"))
    }
  }

  @Test func `a source is connected when its program comes, and again when it comes back`()
    async throws
  {
    try await House.with(graph) { house in
      for _ in 1...3 {
        await house.play { $0.appear("deck", outputs: ["left", "right"]) }
        #expect(house.server.isConnected("deck:left", "house:deck_in_1"))
        #expect(house.server.isConnected("deck:right", "house:deck_in_2"))
        await house.play { $0.vanish("deck") }
        #expect(house.server.connections(of: "house:deck_in_1") == [])
      }
    }
  }

  @Test func `a connection that a user takes away is not made again`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.disconnect("house:main_out_1", "system:playback_1") }
      await house.advance(milliseconds: 1_500)
      await house.play { $0.appear("other", outputs: ["out"]) }
      #expect(!house.server.isConnected("house:main_out_1", "system:playback_1"))
      #expect(house.server.isConnected("house:main_out_2", "system:playback_2"))
    }
  }

  @Test func `only a person's connection is shown as made by hand, and goes with its program`()
    async throws
  {
    try await House.with(graph) { house in
      // A program connects itself when it starts, and again at its next start.
      for _ in 1...2 {
        await house.play { server in
          server.appear("bench", outputs: ["out"], inputs: ["in"])
          server.connect("bench:out", "house:deck_in_1")
        }
        #expect(await house.status.patches.isEmpty)
        await house.play { $0.vanish("bench") }
        await house.advance(milliseconds: 1_500)
      }
      await house.play { $0.appear("bench", outputs: ["out"], inputs: ["in"]) }
      #expect(!house.server.isConnected("bench:out", "house:deck_in_1"))
      await house.advance(milliseconds: 2_000)
      await house.play { $0.connect("house:main_out_1", "bench:in") }
      #expect(await house.status.patches.map(\.destination) == ["bench:in"])
      await house.play { $0.vanish("bench") }
      await house.advance(milliseconds: 1_500)
      #expect(await house.status.patches.isEmpty)
      await house.play { $0.appear("bench", inputs: ["in"]) }
      #expect(!house.server.isConnected("house:main_out_1", "bench:in"))
    }
  }

  @Test func `a server that ignores the host's connections is reported, and left alone`()
    async throws
  {
    try await House.with(graph, { $0.ignoresConnections = true }) { house in
      let errors = await house.events().filter { $0.kind == .error }
      #expect(errors.contains { $0.message.contains("jackd -a") })
      house.server.clearCalls()
      await house.play { $0.appear("other", outputs: ["out"]) }
      #expect(house.server.calls == [])
    }
  }
}
