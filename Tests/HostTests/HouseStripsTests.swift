// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import JACK
import Testing

@testable import Host

/// A rule that gives a program a strip for each pair of its outputs.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
  sources:
    deck: {tone: {wave: sine}}
  mix: [{from: deck, to: main}]
  adopt:
    - client: /Mixxx.*/
      session: {preset: musicMaking}
      routes: [main]
      strips:
        player: {ports: [out_0, out_1]}
        listen: {ports: [out_2, out_3], routes: [phones]}
  controls:
    crossfader: {a: player, b: deck}
    cue: {to: phones, sources: [player]}
  """

extension ScriptedServer {
  /// A program with a main and a listening output comes, and connects itself to the card.
  fileprivate func startMixxx(_ client: String = "Mixxx") {
    appear(client, outputs: ["out_0", "out_1", "out_2", "out_3", "record"])
    for number in 0...3 { connect("\(client):out_\(number)", "system:playback_\(number + 1)") }
  }
}

/// Adopted programs with several strips.
struct HouseStripsTests {
  @Test func `each pair of outputs has a strip on its route, and one session has both`()
    async throws
  {
    try await House.with(graph) { house in
      await house.play { $0.startMixxx() }
      for (port, strip) in [
        ("out_0", "player_in_1"), ("out_1", "player_in_2"), ("out_2", "listen_in_1"),
        ("out_3", "listen_in_2"),
      ] {
        #expect(house.server.connections(of: "Mixxx:\(port)") == ["house:\(strip)"])
      }
      #expect(house.server.connections(of: "Mixxx:record") == [])
      let status = await house.status
      let sessions = status.sessions.filter { $0.app == "Mixxx" }
      #expect(sessions.map(\.strips) == [["player", "listen"]])
      #expect(sessions.first?.active == true && sessions.first?.direct == [])
      let sends = status.sends.filter { $0.strip != "deck" }.map { "\($0.strip) \($0.route)" }
      #expect(sends.sorted() == ["listen phones", "player main"])
      await house.play { $0.vanish("Mixxx") }
      #expect(await house.status.strips.map(\.id) == ["deck"])
    }
  }

  @Test func `a strip of a rule is on the crossfader and cued as the graph says`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.startMixxx() }
      let strips = await house.status.strips
      let player = try #require(strips.first { $0.id == "player" })
      #expect(player.crossfaderSide == .a && player.cue)
      let listen = try #require(strips.first { $0.id == "listen" })
      #expect(listen.crossfaderSide == nil && !listen.cue)
    }
  }

  @Test func `each strip has its fader again when the program comes back`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.startMixxx() }
      try await house.call("setGain", #"{"strip":"player","gainDB":-12}"#)
      try await house.call("setGain", #"{"strip":"listen","gainDB":-3}"#)
      await house.play { $0.vanish("Mixxx") }
      await house.play { $0.startMixxx() }
      let gains = await house.status.strips.map { "\($0.id) \($0.gainDB)" }
      #expect(gains.contains("player -12.0") && gains.contains("listen -3.0"))
    }
  }

  @Test func `a user who patches one pair elsewhere moves this one alone`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.startMixxx() }
      await house.advance(milliseconds: 5_000)
      await house.play { server in
        server.connect("Mixxx:out_0", "system:playback_3")
        server.connect("Mixxx:out_1", "system:playback_4")
      }
      let sends = await house.status.sends.filter { $0.strip != "deck" }
        .map { "\($0.strip) \($0.route)" }
      #expect(sends.sorted() == ["listen phones", "player phones"])
      #expect(house.server.connections(of: "Mixxx:out_0") == ["house:player_in_1"])
      #expect(house.server.connections(of: "Mixxx:out_2") == ["house:listen_in_1"])
    }
  }

  @Test func `outputs that come one by one find their channels`() async throws {
    try await House.with(graph) { house in
      for number in [3, 1, 0, 2] {
        await house.play { $0.register("Mixxx:out_\(number)", .output) }
      }
      #expect(house.server.connections(of: "Mixxx:out_1") == ["house:player_in_2"])
      #expect(house.server.connections(of: "Mixxx:out_2") == ["house:listen_in_1"])
    }
  }

  @Test
  func
    `a pair at full level is back at the hardware when the host ends, and a lower one is silent`()
    async throws
  {
    let house = try House(graph)
    try await house.host.live()
    await house.settle()
    await house.play { $0.startMixxx() }
    await house.end()
    // The crossfader stands in the middle, at −3 dB.
    for number in 0...3 {
      #expect(
        house.server.isConnected("Mixxx:out_\(number)", "system:playback_\(number + 1)")
          == (number >= 2)
      )
    }
  }

  @Test func `two programs of one rule have strips of their own names`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.startMixxx() }
      await house.play { $0.startMixxx("Mixxx-01") }
      #expect(
        await Set(house.status.strips.map(\.id))
          == ["deck", "player", "listen", "player-2", "listen-2"]
      )
      #expect(house.server.connections(of: "Mixxx-01:out_3") == ["house:listen-2_in_2"])
    }
  }

  @Test(
    arguments: [
      ("player: {ports: [out_0]}", "it has no 'routes'"),
      ("player: {routes: [main]}", "the key 'ports' is missing"),
      ("deck: {ports: [out_0], routes: [main]}", "a route or source has this name"),
      ("player: {ports: [out_0], routes: [attic]}", "attic"),
      ("player: {ports: [out_0, out_0], routes: [main]}", "in this list already"),
    ]
  )
  func `a faulty strip of a rule is reported`(strip: String, fault: String) throws {
    let text = """
      multiroute: 1
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {tone: {wave: sine}}}
      mix: [{from: deck, to: main}]
      adopt:
        - client: Mixxx
          session: {preset: musicMaking}
          strips: {\(strip)}
      """
    let error = #expect(throws: (any Error).self) {
      try GraphFile.parse(text, path: "house.yaml")
    }
    #expect("\(String(describing: error))".contains(fault))
  }
}
