// SPDX-License-Identifier: MIT

import GraphFiles
import TestSupport
import Testing

@testable import Patchbay

/// The cost of an event, in rules, connections and questions that are looked at.
///
/// It may depend on what the event changes, and on the graph; never on how many other clients there are.
struct EventCostTests {
  /// A keeper with a route, a source that a pattern feeds, and many adopted clients with their strips connected.
  private struct Patch {
    var keeper = ConnectionKeeper()

    init(clients: Int) throws {
      let rules = [
        ConnectionRule(
          owner: "main",
          direction: .outOfHost,
          channels: [.init(ownPort: "host:main_out_1", target: .named("system:playback_1"))],
        ),
        ConnectionRule(
          owner: "deck",
          direction: .intoHost,
          channels: [
            .init(ownPort: "host:deck_in_1", target: .matching(try PortPattern("deck.*:out")))
          ],
        ),
      ]
      let own: Set = ["host:main_out_1", "host:deck_in_1"]
      keeper.attach(rules: rules, ownPorts: own)
      keeper.reset(
        ports: [
          Ports.output("host:main_out_1"), Ports.input("host:deck_in_1"),
          Ports.input("system:playback_1", physical: true),
        ],
        connections: [ConnectionPair("host:main_out_1", "system:playback_1")],
      )
      for number in 0..<clients { come("other\(number)") }
    }

    /// A client comes, gets a strip, and is connected to it.
    mutating func come(_ client: String) {
      keeper.portAppeared(Ports.output("\(client):out"), nowNanoseconds: 0)
      let strip = "host:\(client)_in_1"
      keeper.add(
        ConnectionRule(
          owner: client,
          direction: .intoHost,
          channels: [.init(ownPort: strip, target: .named("\(client):out"))],
        ),
        ownPorts: [strip],
      )
      keeper.portAppeared(Ports.input(strip), nowNanoseconds: 0)
      for pair in keeper.missing() { keeper.connected(pair, nowNanoseconds: 10_000_000_000) }
      _ = keeper.takeChangedPorts()
    }

    /// How much is looked at while `body` runs.
    mutating func cost(_ body: (inout Self) -> Void) -> Int {
      let before = keeper.visits
      body(&self)
      return keeper.visits - before
    }
  }

  private static let events: [(String, @Sendable (inout Patch) -> Void)] = [
    ("a client comes", { $0.come("new") }),
    ("a client goes", { $0.keeper.portVanished("other3:out", nowNanoseconds: 0) }),
    (
      "a port comes that a pattern matches",
      { $0.keeper.portAppeared(Ports.output("deck7:out"), nowNanoseconds: 0) }
    ),
    ("the hardware goes", { $0.keeper.portVanished("system:playback_1", nowNanoseconds: 0) }),
    ("a strip goes", { $0.keeper.remove(owner: "other4", ownPorts: ["host:other4_in_1"]) }),
    (
      "a user connects",
      {
        $0.keeper.connected(
          ConnectionPair("host:main_out_1", "other5:in"),
          nowNanoseconds: 10_000_000_000
        )
      }
    ),
    (
      "a user disconnects",
      {
        let pair = ConnectionPair("other5:out", "host:other5_in_1")
        $0.keeper.disconnected(pair, nowNanoseconds: 0)
        _ = $0.keeper.settle(nowNanoseconds: 2_000_000_000)
      }
    ),
    (
      "a route is unplugged and plugged",
      {
        _ = $0.keeper.unplug("main")
        $0.keeper.plug("main")
      }
    ),
    (
      "what is missing is asked",
      { patch in
        _ = patch.keeper.missing()
        _ = patch.keeper.isSatisfied("main")
        _ = patch.keeper.places(of: "main")
        _ = patch.keeper.isConnected(["host:other6_in_1"])
      }
    ),
  ]

  @Test(arguments: events.map(\.0))
  func `an event costs the same with 20 other clients and with 200`(_ name: String) throws {
    let event = try #require(Self.events.first { $0.0 == name }).1
    var few = try Patch(clients: 20)
    var many = try Patch(clients: 200)
    let (small, large) = (few.cost(event), many.cost(event))
    #expect(small == large)
    #expect(large < 40, "\(name) looks at \(large) rules, connections and questions")
  }

  @Test func `a rule is looked at only for ports that it names or watches for`() throws {
    var patch = try Patch(clients: 50)
    let foreign = patch.cost {
      $0.keeper.portAppeared(Ports.output("scope:out"), nowNanoseconds: 0)
    }
    // The graph's pattern and the two questions for hardware; no rule and no connection.
    #expect(foreign == 3)
  }

  @Test func `a port told of twice costs nothing the second time`() throws {
    var patch = try Patch(clients: 5)
    patch.keeper.portAppeared(Ports.output("scope:out"), nowNanoseconds: 0)
    #expect(
      patch.cost { $0.keeper.portAppeared(Ports.output("scope:out"), nowNanoseconds: 0) } == 0
    )
  }

  @Test func `only ports of the host whose connections have changed are named`() throws {
    var patch = try Patch(clients: 50)
    #expect(patch.keeper.takeChangedPorts().isEmpty)
    patch.keeper.portVanished("other3:out", nowNanoseconds: 0)
    patch.keeper.disconnected(
      ConnectionPair("other4:out", "host:other4_in_1"),
      nowNanoseconds: 0,
    )
    #expect(patch.keeper.takeChangedPorts() == ["host:other3_in_1", "host:other4_in_1"])
    #expect(patch.keeper.takeChangedPorts().isEmpty)
  }

  @Test func `a watched question is answered for ports of before and after`() throws {
    var keeper = ConnectionKeeper()
    keeper.attach(rules: [], ownPorts: [])
    let pattern = try PortPattern("mic.*")
    keeper.portAppeared(Ports.output("mic1:out"), nowNanoseconds: 0)
    keeper.watch(.matching(pattern), facing: .intoHost)
    keeper.portAppeared(Ports.output("mic2:out"), nowNanoseconds: 0)
    keeper.portAppeared(Ports.input("mic3:in"), nowNanoseconds: 0)
    #expect(keeper.ports.matching(pattern, facing: .intoHost) == ["mic1:out", "mic2:out"])
    keeper.portVanished("mic1:out", nowNanoseconds: 0)
    keeper.hide(["mic2:out"])
    #expect(keeper.ports.matching(pattern, facing: .intoHost).isEmpty)
  }
}
