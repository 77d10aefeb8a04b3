// SPDX-License-Identifier: MIT

import GraphFiles
import JACK
import TestSupport
import Testing

@testable import Patchbay

/// Patch rules on ports that come, go, and are connected by anybody.
struct PatchKeeperTests {
  private static let second: UInt64 = 1_000_000_000

  /// A keeper with the rules of a graph, and a card.
  private static func keeper(_ rules: String) throws -> PatchKeeper {
    let graph = try GraphFile.parse("multiroute: 1\npatches:\n\(rules)\n", path: "p.yaml")
    var keeper = PatchKeeper()
    keeper.take(graph.patches)
    keeper.reset(
      ports: (1...4).map { Ports.input("system:playback_\($0)", physical: true) },
      connections: [],
      ownClients: ["host"],
    )
    return keeper
  }

  private static func pair(_ source: String, _ playback: Int) -> ConnectionPair {
    ConnectionPair(source, "system:playback_\(playback)")
  }

  @Test func `ports are connected by name, by pattern and by group, whenever they appear`() throws {
    var keeper = try Self.keeper(
      #"""
        - {connect: a:out, to: system:playback_1}
        - {connect: '/synth:out_(\d)/', to: 'system:playback_\1'}
        - {connect: '/(b.*):out/', to: /.*:\1 in/}
      """#
    )
    for _ in 1...2 {
      keeper.portAppeared(Ports.output("a:out"), nowNanoseconds: 0)
      keeper.portAppeared(Ports.output("synth:out_3"), nowNanoseconds: 0)
      keeper.portAppeared(Ports.output("synth:out_9"), nowNanoseconds: 0)
      keeper.portAppeared(Ports.output("b2:out"), nowNanoseconds: 0)
      keeper.portAppeared(Ports.input("rec:b2 in"), nowNanoseconds: 0)
      keeper.portAppeared(Ports.input("rec:b3 in"), nowNanoseconds: 0)
      // MIDI is never connected with audio.
      keeper.portAppeared(Ports.midi("synth:out_4"), nowNanoseconds: 0)
      let wanted = [
        Self.pair("a:out", 1), ConnectionPair("b2:out", "rec:b2 in"), Self.pair("synth:out_3", 3),
      ]
      #expect(keeper.missing(nowNanoseconds: 0) == wanted)
      for pair in wanted {
        keeper.make(pair)
        #expect(keeper.connected(pair, isHosts: false, nowNanoseconds: 0).isEmpty)
      }
      #expect(keeper.missing(nowNanoseconds: 0).isEmpty)
      for port in ["a:out", "synth:out_3", "synth:out_9", "b2:out", "rec:b2 in", "rec:b3 in"] {
        for pair in wanted where pair.contains(port) {
          keeper.disconnected(pair, isHosts: false, nowNanoseconds: 0)
        }
        keeper.portVanished(port)
      }
      keeper.portVanished("synth:out_4")
      #expect(keeper.missing(nowNanoseconds: Self.second).isEmpty)
    }
  }

  @Test func `a pattern means no port of the host, and connects no client with itself`() throws {
    var keeper = try Self.keeper(
      """
        - {connect: /.*:out/, to: /.*:in/}
        - {connect: host:out, to: system:playback_1}
      """
    )
    for port in [Ports.output("host:out"), Ports.input("host:in"), Ports.input("loop:in")] {
      keeper.portAppeared(port, nowNanoseconds: 0)
    }
    keeper.portAppeared(Ports.output("loop:out"), nowNanoseconds: 0)
    #expect(keeper.missing(nowNanoseconds: 0) == [Self.pair("host:out", 1)])
  }

  @Test func `a connection that was taken away stays away until its port appears, or comes again`()
    throws
  {
    var keeper = try Self.keeper(
      """
        - {connect: a:out, to: system:playback_1}
        - {connect: b:out, to: system:playback_2, keep: always}
      """
    )
    let pairs = [Self.pair("a:out", 1), Self.pair("b:out", 2)]
    for (port, pair) in zip(["a:out", "b:out"], pairs) {
      keeper.portAppeared(Ports.output(port), nowNanoseconds: 0)
      keeper.make(pair)
      _ = keeper.connected(pair, isHosts: false, nowNanoseconds: 0)
      keeper.disconnected(pair, isHosts: false, nowNanoseconds: 0)
    }
    // The port of the second may be about to vanish.
    #expect(keeper.missing(nowNanoseconds: 0).isEmpty)
    #expect(keeper.missing(nowNanoseconds: Self.second) == [pairs[1]])
    #expect(keeper.handStates == [pairs[0]: .free])
    keeper.portVanished("a:out")
    keeper.portAppeared(Ports.output("a:out"), nowNanoseconds: 0)
    #expect(keeper.missing(nowNanoseconds: Self.second) == pairs)
    // A connection that the host itself takes away for another reason is not fought for.
    _ = keeper.connected(pairs[1], isHosts: false, nowNanoseconds: 0)
    keeper.disconnected(pairs[1], isHosts: true, nowNanoseconds: 0)
    #expect(keeper.missing(nowNanoseconds: 2 * Self.second) == [pairs[0]])
  }

  @Test func `a denied connection is cut whoever makes it, and an omitted one is not made`() throws
  {
    var keeper = try Self.keeper(
      """
        - {deny: /.*/, to: system:playback_3}
        - {connect: a:out, to: system:playback_3}
        - {connect: a:out, to: /system:.*/}
        - {omit: a:out, to: system:playback_2}
      """
    )
    keeper.portAppeared(Ports.output("a:out"), nowNanoseconds: 0)
    #expect(
      keeper.missing(nowNanoseconds: 0) == [Self.pair("a:out", 1), Self.pair("a:out", 4)]
    )
    let denied = Self.pair("a:out", 3)
    #expect(
      keeper.connected(denied, isHosts: false, nowNanoseconds: 0) == [
        .init(pair: denied, rule: 0, newcomer: nil)
      ]
    )
    #expect(keeper.denial(of: denied) == 0 && keeper.leavesOut(denied))
    let omitted = Self.pair("a:out", 2)
    #expect(keeper.connected(omitted, isHosts: false, nowNanoseconds: 0).isEmpty)
    #expect(keeper.denial(of: omitted) == nil && keeper.leavesOut(omitted))
  }

  @Test func `an exclusive rule takes others away, and the earlier rule is back when it ends`()
    throws
  {
    var keeper = try Self.keeper(
      """
        - {connect: a:out, to: system:playback_1}
        - {connect: b:out, to: system:playback_1, exclusive: destination}
      """
    )
    let (first, second, stranger) = (
      Self.pair("a:out", 1), Self.pair("b:out", 1), Self.pair("c:out", 1)
    )
    keeper.portAppeared(Ports.output("a:out"), nowNanoseconds: 0)
    keeper.portAppeared(Ports.output("c:out"), nowNanoseconds: 0)
    #expect(keeper.missing(nowNanoseconds: 0) == [first])
    keeper.make(first)
    _ = keeper.connected(first, isHosts: false, nowNanoseconds: 0)
    #expect(keeper.connected(stranger, isHosts: false, nowNanoseconds: 0).isEmpty)
    keeper.portAppeared(Ports.output("b:out"), nowNanoseconds: 0)
    #expect(keeper.missing(nowNanoseconds: 0) == [second])
    keeper.make(second)
    let cuts = keeper.connected(second, isHosts: false, nowNanoseconds: 0)
    #expect(cuts.map(\.pair) == [first, stranger])
    for cut in cuts {
      keeper.cut(cut)
      keeper.disconnected(cut.pair, isHosts: true, nowNanoseconds: 0)
    }
    #expect(keeper.missing(nowNanoseconds: 0).isEmpty)
    // A newcomer is cut, too.
    #expect(
      keeper.connected(stranger, isHosts: false, nowNanoseconds: 0).map(\.pair) == [stranger]
    )
    keeper.disconnected(second, isHosts: false, nowNanoseconds: 0)
    keeper.portVanished("b:out")
    #expect(keeper.missing(nowNanoseconds: 0) == [first])
  }

  @Test func `at a port with a single connection the newest stays, unless a rule always keeps one`()
    throws
  {
    var keeper = try Self.keeper(
      """
        - {connect: a:out, to: system:playback_1}
        - {connect: b:out, to: system:playback_2, keep: always}
        - {single: /system:.*/}
      """
    )
    for port in ["a:out", "b:out", "c:out"] {
      keeper.portAppeared(Ports.output(port), nowNanoseconds: 0)
    }
    for pair in keeper.missing(nowNanoseconds: 0) {
      keeper.make(pair)
      #expect(keeper.connected(pair, isHosts: false, nowNanoseconds: 0).isEmpty)
    }
    let cuts = keeper.connected(Self.pair("c:out", 1), isHosts: false, nowNanoseconds: 0)
    #expect(cuts.map(\.pair) == [Self.pair("a:out", 1)])
    keeper.cut(cuts[0])
    keeper.disconnected(cuts[0].pair, isHosts: true, nowNanoseconds: 0)
    #expect(keeper.missing(nowNanoseconds: Self.second).isEmpty)
    let kept = keeper.connected(Self.pair("c:out", 2), isHosts: false, nowNanoseconds: 0)
    #expect(kept.map(\.pair) == [Self.pair("c:out", 2)])
  }

  @Test func `a user's connections between programs are known, a program's own are not`() throws {
    var keeper = try Self.keeper("  - {connect: x:y, to: z:w}")
    keeper.portAppeared(Ports.output("a:out"), nowNanoseconds: 0)
    _ = keeper.connected(Self.pair("a:out", 1), isHosts: false, nowNanoseconds: Self.second)
    _ = keeper.connected(Self.pair("a:out", 2), isHosts: false, nowNanoseconds: 3 * Self.second)
    _ = keeper.connected(Self.pair("a:out", 3), isHosts: true, nowNanoseconds: 3 * Self.second)
    #expect(keeper.handStates == [Self.pair("a:out", 2): .connect])
    keeper.disconnected(Self.pair("a:out", 2), isHosts: false, nowNanoseconds: 4 * Self.second)
    #expect(keeper.handStates.isEmpty)
  }

  @Test func `rules are replaced: what a user took away stays so under the same rule`() throws {
    var keeper = try Self.keeper("  - {connect: a:out, to: system:playback_1}")
    let pair = Self.pair("a:out", 1)
    keeper.portAppeared(Ports.output("a:out"), nowNanoseconds: 0)
    _ = keeper.connected(pair, isHosts: false, nowNanoseconds: 0)
    keeper.disconnected(pair, isHosts: false, nowNanoseconds: 0)
    func take(_ rules: String) throws {
      keeper.take(try GraphFile.parse("multiroute: 1\npatches: \(rules)", path: "p.yaml").patches)
    }
    try take("[{connect: a:out, to: system:playback_1}, {single: b:c}]")
    #expect(keeper.missing(nowNanoseconds: 0).isEmpty)
    try take("[{connect: a:out, to: system:playback_1, exclusive: source}]")
    #expect(keeper.missing(nowNanoseconds: 0) == [pair])
    try take("[]")
    #expect(keeper.missing(nowNanoseconds: 0).isEmpty && !keeper.hasRules)
  }
}
