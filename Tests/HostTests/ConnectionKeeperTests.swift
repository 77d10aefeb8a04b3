// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import Host
@testable import JACK

struct ConnectionKeeperTests {
  private static let second: UInt64 = 1_000_000_000
  private static let strip = "host:deck_in_1"
  private static let route = "host:main_out_1"
  private static let toRoom = ConnectionPair(route, "system:playback_1")
  private static let fromDeck = ConnectionPair("deck:out", strip)

  private let rules: [ConnectionRule]

  init() throws {
    rules = [
      ConnectionRule(
        owner: "deck",
        direction: .intoHost,
        channels: [.init(ownPort: Self.strip, target: .matching(try PortPattern("deck.*:out")))],
      ),
      ConnectionRule(
        owner: "main",
        direction: .outOfHost,
        channels: [.init(ownPort: Self.route, target: .named("system:playback_1"))],
      ),
    ]
  }

  /// A keeper on a server with one hardware port and nobody else.
  private func attached() -> ConnectionKeeper {
    var keeper = ConnectionKeeper()
    attach(&keeper)
    return keeper
  }

  private func attach(_ keeper: inout ConnectionKeeper) {
    keeper.attach(rules: rules, ownPorts: [Self.strip, Self.route])
    keeper.reset(
      ports: [
        Ports.input(Self.strip), Ports.output(Self.route),
        Ports.input("system:playback_1", physical: true),
      ],
      connections: [],
    )
  }

  @Test func `a route that is unplugged stays where it is heard meanwhile`() {
    var keeper = ConnectionKeeper()
    let away = "host:away_out_1"
    let rule = ConnectionRule(
      owner: "away",
      direction: .outOfHost,
      channels: [.init(ownPort: away, target: .named("bridge:playback_1"))],
    )
    keeper.attach(
      rules: rules + [rule],
      ownPorts: [Self.strip, Self.route, away],
      fallbacks: ["away": "main"],
    )
    keeper.reset(
      ports: [
        Ports.input(Self.strip), Ports.output(Self.route), Ports.output(away),
        Ports.input("system:playback_1", physical: true),
      ],
      connections: [],
    )
    #expect(keeper.settleFallbacks().isEmpty)
    let meanwhile = ConnectionPair(away, "system:playback_1")
    #expect(keeper.missing().contains(meanwhile))
    keeper.connected(meanwhile)
    #expect(keeper.unplug("away").isEmpty)
    #expect(keeper.settleFallbacks().isEmpty)
    #expect(keeper.fallback(of: "away") == "main")

    // Its own port comes: it is heard there, and no longer elsewhere.
    keeper.portAppeared(Ports.input("bridge:playback_1"))
    keeper.plug("away")
    #expect(keeper.settleFallbacks() == [meanwhile])
    #expect(keeper.missing().contains(ConnectionPair(away, "bridge:playback_1")))
  }

  @Test func `what the graph asks for is missing until it is there`() {
    var keeper = attached()
    #expect(keeper.missing() == [Self.toRoom])
    #expect(keeper.satisfiedOwners() == ["main"])
    keeper.connected(Self.toRoom)
    #expect(keeper.missing().isEmpty)
    keeper.portAppeared(Ports.output("deck:out"))
    #expect(keeper.missing() == [Self.fromDeck])
    #expect(keeper.satisfiedOwners() == ["deck", "main"])
    #expect(keeper.foundPorts(of: "deck") == ["deck:out"])
  }

  @Test func `a pattern stands for every port that matches, the host's own never among them`() {
    var keeper = attached()
    for name in ["deck2:out", "deck10:out", "deck:out", "deck:outer"] {
      keeper.portAppeared(Ports.output(name))
    }
    keeper.portAppeared(Ports.input("deck3:out"))
    #expect(keeper.foundPorts(of: "deck") == ["deck2:out", "deck10:out", "deck:out"])
  }

  @Test func `a port that vanishes and comes back is connected again`() {
    var keeper = attached()
    keeper.portAppeared(Ports.output("deck:out"))
    keeper.connected(Self.fromDeck)
    keeper.disconnected(Self.fromDeck, nowNanoseconds: 0)
    keeper.portVanished("deck:out")
    #expect(keeper.settle(nowNanoseconds: 10 * Self.second).isEmpty)
    keeper.portAppeared(Ports.output("deck:out"))
    #expect(keeper.missing().contains(Self.fromDeck))
  }

  @Test func `a disconnection is in doubt for a second, and a user's will then`() {
    var keeper = attached()
    keeper.connected(Self.toRoom)
    keeper.disconnected(Self.toRoom, nowNanoseconds: 5)
    #expect(keeper.missing().isEmpty)
    #expect(keeper.settle(nowNanoseconds: Self.second).isEmpty)
    #expect(keeper.settle(nowNanoseconds: Self.second + 5) == [Self.toRoom])
    #expect(keeper.missing().isEmpty)
    // It is the user's will on the next server, too.
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.missing().isEmpty)
    // Until somebody makes it again.
    keeper.connected(Self.toRoom)
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.missing() == [Self.toRoom])
  }

  @Test func `a disconnection just before the server goes was nobody's will`() {
    var keeper = attached()
    keeper.connected(Self.toRoom)
    keeper.disconnected(Self.toRoom, nowNanoseconds: 0)
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.settle(nowNanoseconds: 10 * Self.second).isEmpty)
    #expect(keeper.missing() == [Self.toRoom])
  }

  @Test func `what a user made by hand comes back, and goes when he takes it away`() {
    let byHand = ConnectionPair(Self.route, "recorder:in")
    var keeper = attached()
    keeper.connected(Self.toRoom)
    keeper.portAppeared(Ports.input("recorder:in"))
    keeper.connected(byHand)
    #expect(keeper.madeByHand == [byHand])
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.missing() == [Self.toRoom])
    keeper.portAppeared(Ports.input("recorder:in"))
    #expect(keeper.missing() == [byHand, Self.toRoom])
    keeper.connected(byHand)
    keeper.disconnected(byHand, nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: Self.second) == [byHand])
    keeper.serverLost()
    attach(&keeper)
    keeper.portAppeared(Ports.input("recorder:in"))
    #expect(keeper.missing() == [Self.toRoom])
  }

  @Test func `a route plugged in again before JACK tells of its unplugging is connected anew`() {
    let byHand = ConnectionPair(Self.route, "recorder:in")
    var keeper = attached()
    keeper.portAppeared(Ports.input("recorder:in"))
    for pair in [Self.toRoom, byHand] { keeper.connected(pair) }
    let released = keeper.unplug("main")
    #expect(released == [byHand, Self.toRoom])
    keeper.plug("main")
    // JACK's word is still under way.
    #expect(keeper.missing().isEmpty)
    let acts = released.map { keeper.disconnected($0, nowNanoseconds: 0) }
    #expect(acts == [true, true])
    #expect(keeper.missing() == [byHand, Self.toRoom])
    for pair in [Self.toRoom, byHand] { keeper.connected(pair) }
    // A user's act is none of the host's.
    let isOurAct = keeper.disconnected(Self.toRoom, nowNanoseconds: 0)
    #expect(!isOurAct)
  }

  @Test func `a strip made anew at once is connected, though JACK tells late of the one before`() {
    var keeper = attached()
    keeper.portAppeared(Ports.output("deck:out"))
    keeper.connected(Self.fromDeck)
    keeper.remove(owner: "deck", ownPorts: [Self.strip])
    keeper.add(rules[0], ownPorts: [Self.strip])
    keeper.release([Self.fromDeck])
    // What JACK tells is of the strip before: that it was connected, and that it is so no longer.
    keeper.connected(Self.fromDeck)
    let isOurAct = keeper.disconnected(Self.fromDeck, nowNanoseconds: 0)
    #expect(isOurAct)
    #expect(keeper.missing().contains(Self.fromDeck))
    #expect(keeper.settle(nowNanoseconds: 10 * Self.second).isEmpty)
  }

  @Test func `what a user made by hand is away with an unplugged route, and back with it`() {
    let byHand = ConnectionPair(Self.route, "recorder:in")
    var keeper = attached()
    keeper.portAppeared(Ports.input("recorder:in"))
    for pair in [Self.toRoom, byHand] { keeper.connected(pair) }
    for pair in keeper.unplug("main") { keeper.disconnected(pair, nowNanoseconds: 0) }
    #expect(keeper.missing().isEmpty)
    keeper.plug("main")
    #expect(keeper.missing() == [byHand, Self.toRoom])
  }

  @Test func `connections between others are none of the host's business`() {
    var keeper = attached()
    let foreign = ConnectionPair("deck:out", "system:playback_1")
    keeper.connected(foreign)
    #expect(keeper.connections.isEmpty)
    #expect(keeper.madeByHand.isEmpty)
  }

  @Test func `what JACK refuses is asked for again only when one of the ports is new`() {
    var keeper = attached()
    keeper.portAppeared(Ports.output("deck:out"))
    keeper.refused(Self.fromDeck)
    keeper.refused(Self.toRoom)
    #expect(keeper.missing().isEmpty)
    // The port of a client that was not active yet is told of again when it is.
    keeper.portAppeared(Ports.output("deck:out"))
    #expect(keeper.missing() == [Self.fromDeck])
    keeper.refused(Self.fromDeck)
    keeper.portVanished("deck:out")
    keeper.portAppeared(Ports.output("deck:out"))
    #expect(keeper.missing() == [Self.fromDeck])
  }

  @Test func `aliases count as names, MIDI ports do not count`() throws {
    var keeper = ConnectionKeeper()
    let channels: [ConnectionRule.Channel] = [
      .init(ownPort: Self.strip, target: .named("card:mic")),
      .init(ownPort: Self.strip, target: .matching(try PortPattern("usb:.*"))),
      .init(ownPort: Self.strip, target: .physical(index: 1)),
    ]
    keeper.attach(
      rules: [ConnectionRule(owner: "mic", direction: .intoHost, channels: channels)],
      ownPorts: [Self.strip],
    )
    keeper.reset(
      ports: [
        Ports.input(Self.strip),
        Ports.output("system:capture_10", physical: true),
        Ports.output("system:capture_2", physical: true, aliases: ["usb:left"]),
        Ports.output("other:mic", aliases: ["card:mic"]),
        Ports.midi("usb:keys"),
      ],
      connections: [],
    )
    #expect(
      keeper.foundPorts(of: "mic") == ["other:mic", "system:capture_2", "system:capture_10"]
    )
    keeper.portVanished("other:mic")
    #expect(keeper.satisfiedOwners().isEmpty)
  }
}
