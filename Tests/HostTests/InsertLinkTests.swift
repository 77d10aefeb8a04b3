// SPDX-License-Identifier: MIT

import Testing

@testable import Host
@testable import JACK

/// What effects are patched with is the host's own business.
struct InsertLinkTests {
  private static let source = "host-sources:deck_1"
  private static let link = ConnectionPair(source, "fx1:in_1")

  private func keeper() -> ConnectionKeeper {
    var keeper = ConnectionKeeper()
    keeper.attach(rules: [], ownPorts: [Self.source])
    keeper.reset(
      ports: [Ports.output(Self.source), Ports.input("fx1:in_1")],
      connections: [],
    )
    return keeper
  }

  @Test func `a link of an effect is nobody's patch, before the effect has gone and after`() {
    var keeper = keeper()
    keeper.patched(Self.link)
    keeper.connected(Self.link)
    #expect(keeper.madeByHand.isEmpty)
    keeper.portVanished("fx1:in_1")
    keeper.portAppeared(Ports.input("fx1:in_1"))
    #expect(keeper.missing().isEmpty)
  }

  @Test func `the same connection made by hand when the effect is out is a user's`() {
    var keeper = keeper()
    keeper.patched(Self.link)
    keeper.connected(Self.link)
    keeper.disconnected(Self.link, nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: 10_000_000_000).isEmpty)
    keeper.connected(Self.link)
    #expect(keeper.madeByHand == [Self.link])
  }

  @Test func `a link made anew before JACK tells of the one before is nobody's patch`() {
    var keeper = keeper()
    for _ in 1...2 { keeper.patched(Self.link) }
    keeper.connected(Self.link)
    keeper.disconnected(Self.link, nowNanoseconds: 0)
    keeper.connected(Self.link)
    #expect(keeper.madeByHand.isEmpty)
    keeper.disconnected(Self.link, nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: 10_000_000_000).isEmpty)
    #expect(keeper.patchedLinks.isEmpty)
  }

  @Test func `a link that has not come about leaves nothing behind`() {
    var keeper = keeper()
    keeper.patched(Self.link)
    keeper.unpatched(Self.link)
    keeper.connected(Self.link)
    #expect(keeper.madeByHand == [Self.link])
  }

  @Test func `no pattern means a port that stands in for others`() {
    var keeper = keeper()
    keeper.hide(["host-main-out:out_1"])
    keeper.portAppeared(Ports.output("host-main-out:out_1"))
    #expect(!keeper.ports.all(facing: .intoHost).contains("host-main-out:out_1"))
  }
}
