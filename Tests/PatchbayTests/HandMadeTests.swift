// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Patchbay

/// Only the connections of a person count as made by hand.
struct HandMadeTests {
  private static let second: UInt64 = 1_000_000_000
  private static let strip = "host:deck_in_1"
  private static let patch = ConnectionPair("bench:out", strip)

  /// A keeper with one strip that no rule feeds.
  private func keeper(keepsPatches: Bool = false) -> ConnectionKeeper {
    var keeper = ConnectionKeeper(keepsPatches: keepsPatches)
    attach(&keeper)
    return keeper
  }

  private func attach(_ keeper: inout ConnectionKeeper, with ports: [String] = []) {
    keeper.attach(rules: [], ownPorts: [Self.strip])
    keeper.reset(
      ports: [Ports.input(Self.strip)] + ports.map { Ports.output($0) },
      connections: [],
    )
  }

  @Test func `the host's own connection is never made by hand, however late JACK reports it`() {
    var keeper = keeper()
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 0)
    for _ in 1...2 {
      keeper.made(Self.patch)
      keeper.release([Self.patch])
    }
    // The reports of both come when all is over.
    for _ in 1...2 {
      keeper.connected(Self.patch, nowNanoseconds: 10 * Self.second)
      keeper.disconnected(Self.patch, nowNanoseconds: 10 * Self.second)
    }
    #expect(keeper.madeByHand.isEmpty)
    keeper.connected(Self.patch, nowNanoseconds: 11 * Self.second)
    #expect(keeper.madeByHand == [Self.patch])
  }

  @Test func `a connection that stood before the host's has no report of its own`() {
    var keeper = keeper()
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 0)
    keeper.made(Self.patch, isNew: false)
    keeper.disconnected(Self.patch, nowNanoseconds: 3 * Self.second)
    keeper.connected(Self.patch, nowNanoseconds: 4 * Self.second)
    #expect(keeper.madeByHand == [Self.patch])
  }

  @Test func `a program connects itself within two seconds of its appearance, later a person does`()
  {
    for (time, isByHand) in [(Self.second, false), (3 * Self.second, true)] {
      var keeper = keeper()
      keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 0)
      keeper.connected(Self.patch, nowNanoseconds: time)
      #expect(keeper.madeByHand.contains(Self.patch) == isByHand)
    }
  }

  @Test func `a program that was there before the host has started long ago`() {
    var keeper = ConnectionKeeper()
    attach(&keeper, with: ["bench:out"])
    keeper.connected(Self.patch, nowNanoseconds: 1)
    #expect(keeper.madeByHand == [Self.patch])
  }

  @Test func `a program's own connection is not made for its successor`() {
    var keeper = keeper(keepsPatches: true)
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 0)
    keeper.connected(Self.patch, nowNanoseconds: Self.second)
    keeper.portVanished("bench:out", nowNanoseconds: 2 * Self.second)
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 3 * Self.second)
    #expect(keeper.missing().isEmpty)
  }

  @Test(arguments: [true, false])
  func `a patch goes with its program, unless patches are kept`(areKept: Bool) {
    var keeper = keeper(keepsPatches: areKept)
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 0)
    keeper.connected(Self.patch, nowNanoseconds: 3 * Self.second)
    keeper.portVanished("bench:out", nowNanoseconds: 4 * Self.second)
    // Another program of that name comes at once, and one after the doubt is over.
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 4 * Self.second)
    #expect(keeper.missing().isEmpty != areKept)
    _ = keeper.settle(nowNanoseconds: 6 * Self.second)
    #expect(keeper.madeByHand.isEmpty != areKept)
    #expect(keeper.missing().isEmpty != areKept)
  }

  @Test func `a patch outlives its program where both go with the server`() {
    var keeper = keeper()
    keeper.portAppeared(Ports.output("bench:out"), nowNanoseconds: 0)
    keeper.connected(Self.patch, nowNanoseconds: 3 * Self.second)
    keeper.portVanished("bench:out", nowNanoseconds: 4 * Self.second)
    keeper.serverLost()
    attach(&keeper, with: ["bench:out"])
    #expect(keeper.missing() == [Self.patch])
  }
}
