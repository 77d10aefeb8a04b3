// SPDX-License-Identifier: MIT

import GraphFiles
import TestSupport
import Testing

@testable import Patchbay

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

  /// A keeper on a server with only one hardware port.
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

  @Test func `a connection of the graph is missing until it is made`() {
    var keeper = attached()
    #expect(keeper.missing() == [Self.toRoom])
    #expect(keeper.satisfiedOwners() == ["main"])
    keeper.connected(Self.toRoom, nowNanoseconds: 10_000_000_000)
    #expect(keeper.missing().isEmpty)
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
    #expect(keeper.missing() == [Self.fromDeck])
    #expect(keeper.satisfiedOwners() == ["deck", "main"])
    #expect(keeper.foundPorts(of: "deck") == ["deck:out"])
  }

  @Test func `a pattern stands for every port that matches, the host's own never among them`() {
    var keeper = attached()
    for name in ["deck2:out", "deck10:out", "deck:out", "deck:outer"] {
      keeper.portAppeared(Ports.output(name), nowNanoseconds: 0)
    }
    keeper.portAppeared(Ports.input("deck3:out"), nowNanoseconds: 0)
    #expect(keeper.foundPorts(of: "deck") == ["deck2:out", "deck10:out", "deck:out"])
  }

  @Test func `a port that vanishes and comes back is connected again`() {
    var keeper = attached()
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
    keeper.connected(Self.fromDeck, nowNanoseconds: 10_000_000_000)
    keeper.disconnected(Self.fromDeck, nowNanoseconds: 0)
    keeper.portVanished("deck:out", nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: 10 * Self.second).isEmpty)
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
    #expect(keeper.missing().contains(Self.fromDeck))
  }

  @Test func `a disconnection is in doubt for a second, and a user's will then`() {
    var keeper = attached()
    keeper.connected(Self.toRoom, nowNanoseconds: 10_000_000_000)
    keeper.disconnected(Self.toRoom, nowNanoseconds: 5)
    #expect(keeper.missing().isEmpty)
    #expect(keeper.settle(nowNanoseconds: Self.second).isEmpty)
    #expect(keeper.settle(nowNanoseconds: Self.second + 5) == [Self.toRoom])
    #expect(keeper.missing().isEmpty)
    // It is the user's will on the next server, too.
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.missing().isEmpty)
    // Until it is made again.
    keeper.connected(Self.toRoom, nowNanoseconds: 10_000_000_000)
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.missing() == [Self.toRoom])
  }

  @Test func `a disconnection just before the server goes is no user's act`() {
    var keeper = attached()
    keeper.connected(Self.toRoom, nowNanoseconds: 10_000_000_000)
    keeper.disconnected(Self.toRoom, nowNanoseconds: 0)
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.settle(nowNanoseconds: 10 * Self.second).isEmpty)
    #expect(keeper.missing() == [Self.toRoom])
  }

  @Test func `a user's patch comes back, and goes when the user removes it`() {
    let byHand = ConnectionPair(Self.route, "recorder:in")
    var keeper = attached()
    keeper.connected(Self.toRoom, nowNanoseconds: 10_000_000_000)
    keeper.portAppeared(Ports.input("recorder:in"), nowNanoseconds: 0)
    keeper.connected(byHand, nowNanoseconds: 10_000_000_000)
    #expect(keeper.madeByHand == [byHand])
    keeper.serverLost()
    attach(&keeper)
    #expect(keeper.missing() == [Self.toRoom])
    keeper.portAppeared(Ports.input("recorder:in"), nowNanoseconds: 0)
    #expect(keeper.missing() == [byHand, Self.toRoom])
    keeper.connected(byHand, nowNanoseconds: 10_000_000_000)
    keeper.disconnected(byHand, nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: Self.second) == [byHand])
    keeper.serverLost()
    attach(&keeper)
    keeper.portAppeared(Ports.input("recorder:in"), nowNanoseconds: 0)
    #expect(keeper.missing() == [Self.toRoom])
  }

  @Test func `a route plugged in again before JACK reports its unplugging is connected anew`() {
    let byHand = ConnectionPair(Self.route, "recorder:in")
    var keeper = attached()
    keeper.portAppeared(Ports.input("recorder:in"), nowNanoseconds: 0)
    for pair in [Self.toRoom, byHand] { keeper.connected(pair, nowNanoseconds: 10_000_000_000) }
    let released = keeper.unplug("main")
    #expect(released == [byHand, Self.toRoom])
    keeper.plug("main")
    // JACK's word is still under way.
    #expect(keeper.missing().isEmpty)
    let acts = released.map { keeper.disconnected($0, nowNanoseconds: 0) }
    #expect(acts == [true, true])
    #expect(keeper.missing() == [byHand, Self.toRoom])
    for pair in [Self.toRoom, byHand] { keeper.connected(pair, nowNanoseconds: 10_000_000_000) }
    // A user's act is none of the host's.
    let isOurAct = keeper.disconnected(Self.toRoom, nowNanoseconds: 0)
    #expect(!isOurAct)
  }

  @Test func `a strip made anew at once is connected, though JACK reports the previous one late`() {
    var keeper = attached()
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
    keeper.connected(Self.fromDeck, nowNanoseconds: 10_000_000_000)
    keeper.remove(owner: "deck", ownPorts: [Self.strip])
    keeper.add(rules[0], ownPorts: [Self.strip])
    keeper.release([Self.fromDeck])
    // JACK reports on the previous strip: first its connection, then its disconnection.
    keeper.connected(Self.fromDeck, nowNanoseconds: 10_000_000_000)
    let isOurAct = keeper.disconnected(Self.fromDeck, nowNanoseconds: 0)
    #expect(isOurAct)
    #expect(keeper.missing().contains(Self.fromDeck))
    #expect(keeper.settle(nowNanoseconds: 10 * Self.second).isEmpty)
  }

  @Test(arguments: [Self.second, 10 * Self.second])
  func `a user's patch and a program's own go with an unplugged route, and come back with it`(
    connected: UInt64
  ) {
    let patch = ConnectionPair(Self.route, "recorder:in")
    var keeper = attached()
    keeper.portAppeared(Ports.input("recorder:in"), nowNanoseconds: 0)
    for pair in [Self.toRoom, patch] { keeper.connected(pair, nowNanoseconds: connected) }
    for pair in keeper.unplug("main") { keeper.disconnected(pair, nowNanoseconds: connected) }
    #expect(keeper.missing().isEmpty)
    keeper.plug("main")
    #expect(keeper.missing() == [patch, Self.toRoom])
    #expect(keeper.madeByHand.isEmpty == (connected == Self.second))
  }

  @Test func `connections between others are none of the host's business`() {
    var keeper = attached()
    let foreign = ConnectionPair("deck:out", "system:playback_1")
    keeper.connected(foreign, nowNanoseconds: 10_000_000_000)
    #expect(keeper.connections.isEmpty)
    #expect(keeper.madeByHand.isEmpty)
  }

  @Test func `a refused connection is tried again only when one of the ports is new`() {
    var keeper = attached()
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
    keeper.refused(Self.fromDeck)
    keeper.refused(Self.toRoom)
    #expect(keeper.missing().isEmpty)
    // The port of an inactive client is reported again when the client is activated.
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
    #expect(keeper.missing() == [Self.fromDeck])
    keeper.refused(Self.fromDeck)
    keeper.portVanished("deck:out", nowNanoseconds: 0)
    keeper.portAppeared(Ports.output("deck:out"), nowNanoseconds: 0)
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
    keeper.portVanished("other:mic", nowNanoseconds: 0)
    #expect(keeper.satisfiedOwners().isEmpty)
  }
}
