// SPDX-License-Identifier: MIT

import GraphFiles
import TestSupport
import Testing

@testable import Patchbay

/// Answers that another thread has found on a copy of the ports.
struct PreparedAnswerTests {
  private func keeper(_ ports: [String]) -> ConnectionKeeper {
    var keeper = ConnectionKeeper()
    keeper.attach(rules: [], ownPorts: ["host:in"])
    keeper.reset(ports: ports.map { Ports.output($0) } + [Ports.input("host:in")], connections: [])
    return keeper
  }

  private func rule(_ pattern: PortPattern) -> ConnectionRule {
    ConnectionRule(
      owner: "strip",
      direction: .intoHost,
      channels: [.init(ownPort: "host:in", target: .dealt([pattern], channel: 0, channels: 1))],
    )
  }

  @Test func `ports that came, changed or went meanwhile are asked anew`() throws {
    var keeper = keeper(["a:1", "a:2", "b:1"])
    let pattern = try PortPattern("a:.*")
    let prepared = keeper.ports.prepareAnswers(to: [pattern], facing: .intoHost)
    keeper.portVanished("a:1", nowNanoseconds: 0)
    keeper.portAppeared(Ports.output("a:3"), nowNanoseconds: 0)
    keeper.portAppeared(Ports.output("c:1"), nowNanoseconds: 0)
    keeper.use(prepared)
    keeper.add(rule(pattern), ownPorts: [])
    #expect(keeper.foundPorts(of: "strip") == ["a:2", "a:3"])
  }

  @Test func `a rule without prepared answers finds the same`() throws {
    let pattern = try PortPattern("a:.*")
    var plain = keeper(["a:10", "a:9", "b:1"])
    var other = plain
    other.use(other.ports.prepareAnswers(to: [pattern], facing: .intoHost))
    plain.add(rule(pattern), ownPorts: [])
    other.add(rule(pattern), ownPorts: [])
    #expect(plain.foundPorts(of: "strip") == ["a:9", "a:10"])
    #expect(plain.foundPorts(of: "strip") == other.foundPorts(of: "strip"))
  }

  @Test func `costly patterns are not matched again when their rule is added`() throws {
    let patterns = try (0..<4).map { try PortPattern("a:((x{1,9}){9}){12}\($0)") }
    var plain = keeper((0..<100).map { "a:" + String(repeating: "x", count: 200 + $0) })
    var prepared = plain
    let rule = ConnectionRule(
      owner: "strip",
      direction: .intoHost,
      channels: [.init(ownPort: "host:in", target: .dealt(patterns, channel: 0, channels: 1))],
    )
    let clock = ContinuousClock()
    let away = clock.measure {
      prepared.use(prepared.ports.prepareAnswers(to: patterns, facing: .intoHost))
    }
    let with = clock.measure { prepared.add(rule, ownPorts: []) }
    let without = clock.measure { plain.add(rule, ownPorts: []) }
    #expect(with < without / 10, "\(with) with answers that took \(away), \(without) without")
  }
}
