// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Patchbay

/// Connections made for effects, which are never taken for a user's patch.
struct PatchedLinkTests {
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

  @Test func `a link of an effect is never a user's patch, before the effect has gone and after`() {
    var keeper = keeper()
    keeper.patched(Self.link)
    keeper.connected(Self.link, nowNanoseconds: 10_000_000_000)
    #expect(keeper.madeByHand.isEmpty)
    keeper.portVanished("fx1:in_1", nowNanoseconds: 0)
    keeper.portAppeared(Ports.input("fx1:in_1"), nowNanoseconds: 0)
    #expect(keeper.missing().isEmpty)
  }

  @Test func `the same connection made by hand when the effect is out is a user's`() {
    var keeper = keeper()
    keeper.patched(Self.link)
    keeper.connected(Self.link, nowNanoseconds: 10_000_000_000)
    keeper.disconnected(Self.link, nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: 10_000_000_000).isEmpty)
    keeper.connected(Self.link, nowNanoseconds: 10_000_000_000)
    #expect(keeper.madeByHand == [Self.link])
  }

  @Test func `a link made anew before JACK reports the previous one is never a user's patch`() {
    var keeper = keeper()
    for _ in 1...2 { keeper.patched(Self.link) }
    keeper.connected(Self.link, nowNanoseconds: 10_000_000_000)
    keeper.disconnected(Self.link, nowNanoseconds: 0)
    keeper.connected(Self.link, nowNanoseconds: 10_000_000_000)
    #expect(keeper.madeByHand.isEmpty)
    keeper.disconnected(Self.link, nowNanoseconds: 0)
    #expect(keeper.settle(nowNanoseconds: 10_000_000_000).isEmpty)
    #expect(keeper.patchedLinks.isEmpty)
  }

  @Test func `a link that was not made leaves no trace`() {
    var keeper = keeper()
    keeper.patched(Self.link)
    keeper.unpatched(Self.link)
    keeper.connected(Self.link, nowNanoseconds: 10_000_000_000)
    #expect(keeper.madeByHand == [Self.link])
  }

  @Test func `a pattern never matches a port that stands in for others`() {
    var keeper = keeper()
    keeper.hide(["host-main-out:out_1"])
    keeper.portAppeared(Ports.output("host-main-out:out_1"), nowNanoseconds: 0)
    #expect(!keeper.ports.all(facing: .intoHost).contains("host-main-out:out_1"))
  }
}
