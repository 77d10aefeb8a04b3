// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import GraphFiles

@Suite("Patch rules")
struct PatchRuleTests {
  private static func graph(_ patches: String) throws -> GraphFile {
    try GraphFile.parse("multiroute: 1\npatches:\n\(patches)\n", path: "p.yaml")
  }

  private static func faults(_ patches: String) -> [String] {
    do throws(GraphFileErrors) {
      _ = try GraphFile.parse("multiroute: 1\npatches:\n\(patches)\n", path: "p.yaml")
      return []
    } catch {
      return error.diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
    }
  }

  @Test("each kind is read with its keys and its line")
  func kinds() throws {
    let rules = try Self.graph(
      #"""
        - {connect: "synth:out_1", to: "system:playback_1", keep: always, exclusive: both}
        - {connect: '/synth:out_(\d)/', to: 'system:playback_\1'}
        # A comment.
        - {omit: a:b, to: c:d}
        - {deny: /mpv.*:.*/, to: /system:.*/}
        - {single: /system:playback_.*/}
      """#
    ).patches
    #expect(rules.map(\.kind) == [.connect, .connect, .omit, .deny, .single])
    #expect(rules.map(\.line) == [3, 4, 6, 7, 8])
    #expect(rules[0].keep == .always && rules[0].exclusive == .both)
    #expect(rules[0].isExact && !rules[1].isExact)
    #expect(rules[1].matches("synth:out_7", to: "system:playback_7"))
    #expect(!rules[1].matches("synth:out_7", to: "system:playback_1"))
    for rule in rules {
      #expect(GraphFile.PatchRule(text: rule.text) == rule, "\(rule.text)")
    }
  }

  static let cases: [(rule: String, faults: [String])] = [
    (
      "  - {to: a:b}",
      ["3:5: patch rule: it does nothing; write one of 'connect', 'omit', 'deny', 'single'"]
    ),
    (
      "  - {connect: a:b, deny: a:b, to: a:b}",
      [
        "3:5: patch rule: it has 'connect' and 'deny'; write one of 'connect', 'omit', 'deny', 'single'"
      ]
    ),
    (
      "  - {connect: a:b}",
      ["3:5: patch rule: the key 'to' is missing; write 'to: system:playback_1'"]
    ),
    (
      "  - {deny: a:b, to: c:d, keep: always}",
      ["3:32: keep: only a rule with 'connect' has this key"]
    ),
    (
      "  - {connect: a:b, to: c:d, keep: ever}",
      ["3:35: keep: 'ever' is not known; allowed: appear, always"]
    ),
    (
      "  - {single: a:b, to: c:d}",
      ["3:23: to: a rule with 'single' names its ports there; remove 'to'"]
    ),
    (
      #"  - {connect: a:b, to: 'c:\1'}"#,
      [
        #"3:24: to: '\1' stands for group 1 of the source, and the source is a name; write a pattern such as /synth:out_(.*)/"#
      ]
    ),
    (
      #"  - {connect: /a:(.*)/, to: 'c:\2'}"#,
      [
        #"3:29: to: '\2' stands for group 2 of the source, and the source has 1 group in parentheses"#
      ]
    ),
    (
      #"  - {connect: /a:(.*)/, to: '/c:[\1/'}"#,
      ["3:29: to: the pattern '/c:[x/' cannot be used: missing ]: [x"]
    ),
  ]

  @Test("a faulty rule has one error at its place", arguments: cases)
  func faults(rule: String, faults: [String]) {
    #expect(Self.faults(rule) == faults)
  }

  @Test("a group stands for its own characters, in a name and in a pattern")
  func groups() throws {
    let rules = try Self.graph(
      #"""
        - {connect: '/(.*):out(.*)/', to: '\1 in:port\2'}
        - {connect: '/(.*):out(.*)/', to: '/.*\1:in\2|spare:\2/'}
      """#
    ).patches
    #expect(rules[0].matches("a.b:out[1]", to: "a.b in:port[1]"))
    #expect(rules[1].matches("a.b:out[1]", to: "the a.b:in[1]"))
    #expect(rules[1].matches("a.b:out[1]", to: "spare:[1]"))
    #expect(!rules[1].matches("a.b:out[1]", to: "the axb:in[1]"))
    #expect(!rules[1].matches("a.b:out[1]", to: "the a.b:in1"))
  }

  @Test("a rule is made of two ports by name or pattern, and of nothing else")
  func connecting() throws {
    let rule = try GraphFile.PatchRule(connecting: "a:b", to: "/c:[de]/", exclusive: .both)
    #expect(rule.kind == .connect && rule.keep == .appear && rule.exclusive == .both)
    #expect(rule.line == 0)
    #expect(rule.matches("a:b", to: "c:e") && !rule.matches("a:b", to: "c:f"))
    for (source, destination, fault) in [
      ("a", "c:d", "connect: 'a' is not a port"), ("null", "c:d", "connect: 'null' is not a port"),
      ("a:b", "c", "to: 'c' is not a port"),
      ("/a:(/", "c:d", "connect: the pattern"), ("a:b", "/c/", "to: the pattern"),
    ] {
      let error = #expect(throws: GraphFile.PatchRule.Fault.self) {
        try GraphFile.PatchRule(connecting: source, to: destination)
      }
      #expect(error?.description.hasPrefix(fault) == true, "\(error?.description ?? "")")
    }
  }

  @Test(
    "a text with a fault is no rule",
    arguments: [
      "", "[", "5", "{connect: a:b}", "{connect: a, to: c:d}", "{connect: a:b, to: c}",
      "{connect: a:b, to: c:d, keep: ever}", "{connect: a:b, to: c:d, x: 1}",
      "{deny: a:b, to: c:d, exclusive: both}", #"{connect: /a:(.)/, to: '/c:[\1/'}"#,
    ]
  )
  func noRule(text: String) {
    #expect(GraphFile.PatchRule(text: text) == nil)
  }

  @Test("rules are equal if all of their keys are, wherever they stand")
  func equality() throws {
    let texts = [
      "{connect: a:b, to: c:d}", "{omit: a:b, to: c:d}", "{connect: a:x, to: c:d}",
      "{connect: a:b, to: c:x}", "{connect: a:b, to: c:d, keep: always}",
      "{connect: a:b, to: c:d, exclusive: both}",
    ]
    let rules = try texts.map { try #require(GraphFile.PatchRule(text: $0)) }
    let graph = try Self.graph(texts.map { "  - \($0)" }.joined(separator: "\n"))
    for (index, rule) in rules.enumerated() {
      for (other, placed) in graph.patches.enumerated() {
        #expect((rule == placed) == (index == other), "\(rule.text), \(placed.text)")
      }
    }
  }

  @Test(
    "a backslash with a digit from 1 to 9 is a group, and with anything else it stays",
    arguments: [
      (#"a"#, "a", []), (#"\1"#, "<1>", [1]), (#"\1\2x\9"#, "<1><2>x<9>", [1, 2, 9]),
      (#"\10"#, "<1>0", [1]), (#"\0"#, #"\0"#, []), (#"\d\1"#, #"\d<1>"#, [1]),
      (#"\\1"#, #"\\1"#, []), (#"a\"#, #"a\"#, []), (#"\٣"#, #"\٣"#, []),
    ] as [(String, String, [Int])]
  )
  func references(text: String, filled: String, groups: [Int]) {
    #expect(PortTemplate.filled(text) { "<\($0)>" } == filled)
    #expect(PortTemplate.references(in: text) == groups)
  }

  @Test("a rule for single ports is about no connection of two")
  func single() throws {
    let rules = try Self.graph("  - {single: /system:.*/}").patches
    #expect(rules[0].groups(ofSource: ["x:y", "system:playback_1"]) == [])
    #expect(!rules[0].matches("system:playback_1", to: "system:playback_1"))
    #expect(!rules[0].isExact)
  }

  @Test("a rule keeps the groups of its source if its destination needs them")
  func keptGroups() throws {
    let rules = try Self.graph(
      #"""
        - {connect: '/synth:out_(\d)/', to: 'system:playback_1'}
        - {connect: '/synth:out_(\d)/', to: 'system:playback_\1'}
        - {connect: 'synth:out_1', to: 'system:playback_1'}
      """#
    ).patches
    let names = ["alias:x", "synth:out_7"]
    #expect(rules.map { $0.groups(ofSource: names) } == [[], ["7"], nil])
    #expect(rules.map { $0.groups(ofSource: ["synth:out_x"]) } == [nil, nil, nil])
  }

  @Test("of connect and omit the last one decides, and deny before them")
  func precedence() throws {
    let graph = try Self.graph(
      """
        - {connect: a:b, to: c:d}
        - {omit: /a:.*/, to: /c:.*/}
        - {connect: a:x, to: c:x}
        - {deny: /.*/, to: c:z}
        - {connect: a:z, to: c:z}
      """
    )
    #expect(graph.patchRule(for: "a:b", to: "c:d")?.kind == .omit)
    #expect(graph.patchRule(for: "a:x", to: "c:x")?.kind == .connect)
    #expect(graph.patchRule(for: "a:z", to: "c:z")?.kind == .deny)
    #expect(graph.patchRule(for: "b:b", to: "c:d") == nil)
  }

  private static let text = """
    # Studio.
    multiroute: 1
    patches: # by hand
      # The synth.
      - {connect: "synth:out", to: "system:playback_1"} # left

      - connect: /mpv:.*/
        to: system:playback_2 # all of it

    """

  private static func revised(
    _ text: String,
    _ states: [(String, String, GraphFile.PatchState)],
  ) throws -> String {
    let edits = states.map { GraphEdit(.patch(source: $0, destination: $1), .patch($2)) }
    for edit in edits { #expect(GraphEdit(path: edit.path, text: edit.text) == edit) }
    return try GraphRevision(of: text, path: "p.yaml", edits: edits).text
  }

  @Test("connections by hand are added, taken back and left out, and all else stays byte for byte")
  func edits() throws {
    let text = Self.text
    #expect(try Self.revised(text, [("synth:out", "system:playback_1", .connect)]) == text)
    #expect(try Self.revised(text, [("mpv:x", "system:playback_2", .connect)]) == text)
    #expect(try Self.revised(text, [("a:b", "c:d", .free)]) == text)
    let added = try Self.revised(text, [("a:b", "c:d", .connect)])
    #expect(added == text.dropLast() + "\n  - {connect: 'a:b', to: 'c:d'}\n")
    #expect(try Self.revised(added, [("a:b", "c:d", .free)]) == text)
    let omitted = try Self.revised(added, [("a:b", "c:d", .omit)])
    #expect(omitted == added.replacing("{connect: 'a:b'", with: "{omit: 'a:b'"))
    let left = try Self.revised(text, [("mpv:x", "system:playback_2", .omit)])
    #expect(left.hasPrefix(text.dropLast()) && left.contains("{omit: 'mpv:x'"))
    let without = try Self.revised(text, [("synth:out", "system:playback_1", .free)])
    #expect(
      without
        == text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.contains("synth:out") }.joined(separator: "\n")
    )
  }

  @Test("a graph without patches gets some, and a list without its last entry stays a list")
  func firstAndLast() throws {
    let bare = "multiroute: 1\nname: x # end"
    let one = try Self.revised(bare, [("a:b", "c:d", .connect)])
    #expect(try GraphFile.parse(one, path: "p.yaml").patches == [.init(.connect, "a:b", to: "c:d")])
    #expect(one.hasPrefix(bare))
    let none = try Self.revised(one, [("a:b", "c:d", .free)])
    #expect(try GraphFile.parse(none, path: "p.yaml").patches.isEmpty)
  }

  @Test("a list in lines without its last entry is an empty list")
  func lastLine() throws {
    let text = "multiroute: 1\npatches:\n  - {connect: 'a:b', to: 'c:d'}\nname: x\n"
    let none = try Self.revised(text, [("a:b", "c:d", .free)])
    let graph = try GraphFile.parse(none, path: "p.yaml")
    #expect(graph.patches.isEmpty && graph.name == "x" && none.contains("[]"))
  }

  @Test("500 random acts leave a graph with the states of each last act, and the comments")
  func manyEdits() throws {
    var random = TestSeed.random()
    var states: [[String]: GraphFile.PatchState] = [:]
    var order: [[String]] = []
    for _ in 0..<500 {
      let pair = [
        ["synth:out", "mpv:x", "a:b", "a: b"].randomElement(using: &random) ?? "",
        "system:playback_\(Int.random(in: 1...8, using: &random))",
      ]
      states[pair] = GraphFile.PatchState.allCases.randomElement(using: &random)
      order.append(pair)
    }
    let edits = Set(order).sorted { $0.description < $1.description }.compactMap { pair in
      states[pair].map { (pair[0], pair[1], $0) }
    }
    let text = try Self.revised(Self.text, edits)
    let graph = try GraphFile.parse(text, path: "p.yaml")
    for (source, destination, state) in edits {
      #expect(graph.hasPatch(source, to: destination, state), "\(source) \(destination) \(state)")
    }
    for comment in ["# Studio.", "# by hand", "# The synth.", "# all of it"] {
      #expect(text.contains(comment))
    }
  }
}
