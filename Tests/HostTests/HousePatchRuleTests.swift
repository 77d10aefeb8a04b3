// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import TestSupport
import Testing

@testable import Host

/// A route, a source, a microphone that needs a permission, and patch rules for others.
private func graph(_ rules: String, permissions: String = "{default: granted}") -> String {
  """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: \(permissions)
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
  sources:
    deck: {ports: ["deck:left", "deck:right"]}
  mix:
    - {from: deck, to: main}
  patches:
  \(rules)

  """
}

/// Patch rules of a host on a scripted server.
struct HousePatchRuleTests {
  @Test
  func `ports of other programs are connected when they come, and the page says by which rule`()
    async throws
  {
    let rules = #"  - {connect: '/synth:out_(\d)/', to: 'system:playback_\1'}"#
    try await House.with(graph(rules)) { house in
      for _ in 1...2 {
        await house.play { $0.appear("synth", outputs: ["out_3", "out_4", "out_5"]) }
        #expect(house.server.isConnected("synth:out_3", "system:playback_3"))
        #expect(house.server.isConnected("synth:out_4", "system:playback_4"))
        #expect(house.server.connections(of: "synth:out_5") == [])
        let patch = try await house.call("listPatch")
        #expect("\(patch)".contains("rule"))
        #expect(await house.status.patchRules.map(\.connections) == [2])
        #expect(await house.status.patchRules.map(\.line) == [12])
        await house.play { $0.vanish("synth") }
      }
      await house.play { $0.appear("synth", outputs: ["out_3"]) }
      let why = try await house.call("why", #"{"app":"synth"}"#)
      #expect("\(why)".contains("is connected by the patch rule in line 12"))
    }
  }

  @Test func `a denied connection is cut whoever makes it, and refused by name of the rule`()
    async throws
  {
    try await House.with(graph("  - {deny: /.*/, to: system:playback_4}")) { house in
      await house.play { $0.appear("app", outputs: ["out"]) }
      for _ in 1...5 {
        await house.play { $0.connect("app:out", "system:playback_4") }
        #expect(!house.server.isConnected("app:out", "system:playback_4"))
      }
      let told = await house.events().filter { $0.message.contains("has cut app:out") }
      // A program that insists is told of until it is clear that it does.
      #expect(told.count == 4, "\(told.map(\.message))")
      #expect(await house.status.patchRules.map(\.cuts) == [5])
      let refusal = await #expect(throws: Refusal.self) {
        try await house.call(
          "connect",
          #"{"source":"app:out","destination":"system:playback_4"}"#,
        )
      }
      #expect(refusal?.message.contains("line 12") == true, "\(String(describing: refusal))")
    }
  }

  @Test
  func `the host leaves out what a rule omits or denies, and makes it again without the rule`()
    async throws
  {
    let rules = """
        - {omit: "house:main_out_1", to: system:playback_1}
        - {deny: "deck:left", to: "house:deck_in_1"}
      """
    try await House.with(graph(rules)) { house in
      await house.play { $0.appear("deck", outputs: ["left", "right"]) }
      #expect(!house.server.isConnected("house:main_out_1", "system:playback_1"))
      #expect(house.server.isConnected("house:main_out_2", "system:playback_2"))
      #expect(!house.server.isConnected("deck:left", "house:deck_in_1"))
      #expect(house.server.isConnected("deck:right", "house:deck_in_2"))
      #expect(house.server.calls.allSatisfy { !$0.contains("deck:left") })
      await house.host.run { $0.patches.take([]) }
      await house.settle()
      #expect(house.server.isConnected("house:main_out_1", "system:playback_1"))
      #expect(house.server.isConnected("deck:left", "house:deck_in_1"))
    }
  }

  @Test
  func `two that insist are fought three times a minute, then the host gives way and says so`()
    async throws
  {
    let rules = """
        - {connect: a:out, to: system:playback_3, keep: always}
        - {connect: b:out, to: system:playback_4, exclusive: destination}
      """
    try await House.with(graph(rules)) { house in
      await house.play { $0.appear("a", outputs: ["out"]) }
      var isConnected: [Bool] = []
      for _ in 1...5 {
        await house.play { $0.disconnect("a:out", "system:playback_3") }
        await house.advance(milliseconds: 400)
        isConnected.append(house.server.isConnected("a:out", "system:playback_3"))
      }
      // The first of three makings was that of its appearance.
      #expect(isConnected == [true, true, false, false, false])
      var gaveWay = await house.events().filter { $0.kind == .gaveWay }
      #expect(gaveWay.count == 1, "\(gaveWay)")
      await house.play { server in
        server.appear("b", outputs: ["out"])
        server.appear("c", outputs: ["out"])
      }
      #expect(house.server.isConnected("b:out", "system:playback_4"))
      var remains: [Bool] = []
      for _ in 1...4 {
        await house.play { $0.connect("c:out", "system:playback_4") }
        remains.append(house.server.isConnected("c:out", "system:playback_4"))
      }
      #expect(remains == [false, false, false, true])
      gaveWay = await house.events().filter { $0.kind == .gaveWay }
      #expect(gaveWay.count == 1, "\(gaveWay)")
      #expect(await house.status.patchRules.map(\.gaveWay) == [true, true])
      // A port that appears anew begins anew.
      await house.play { server in
        server.vanish("a")
        server.appear("a", outputs: ["out"])
      }
      #expect(house.server.isConnected("a:out", "system:playback_3"))
    }
  }

  @Test func `no rule connects a microphone to a program without a yes`() async throws {
    let rules = "  - {connect: system:capture_1, to: rec:in, keep: always}"
    try await House.with(graph(rules, permissions: "{default: denied}")) { house in
      for _ in 1...3 {
        await house.play { $0.appear("rec", inputs: ["in"]) }
        await house.advance(milliseconds: 500)
        #expect(!house.server.isConnected("system:capture_1", "rec:in"))
        await house.play { $0.vanish("rec") }
      }
      #expect(house.server.calls.allSatisfy { $0 != "connect system:capture_1 rec:in" })
    }
  }

  @Test func `nodes, routes and adoption are no user's patches, and a user's are`() async throws {
    try await House.with(graph("  - {connect: x:out, to: y:in}")) { house in
      await house.play { server in
        server.appear("deck", outputs: ["left", "right"])
        server.appear("a", outputs: ["out"])
        server.appear("x", outputs: ["out"])
        server.appear("y", inputs: ["in"])
      }
      await house.advance(milliseconds: 3_000)
      func edits() async throws -> String { "\(try await house.call("listGraphEdits"))" }
      #expect(try await !edits().contains("patch"))
      await house.play { server in
        server.connect("a:out", "y:in")
        server.disconnect("x:out", "y:in")
        server.disconnect("house:main_out_1", "system:playback_1")
      }
      await house.advance(milliseconds: 1_500)
      let text = try await edits()
      for part in ["a:out", "x:out", "house:main_out_1"] { #expect(text.contains(part), "\(text)") }
    }
  }
}
