// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

@Suite("YAML and its limits")
struct YAMLTests {
  static let syntax: [Marked] = [
    Marked(
      "multiroute: 1\n‸\tname: x\n",
      "not YAML: found a tab character that violates indentation; indent with spaces",
    ),
    Marked(
      "multiroute: 1\nname: ‸@x\n",
      "not YAML: found character that cannot start any token; indent with spaces, and put text "
        + "that starts like this in quotes",
    ),
    Marked(
      "multiroute: 1\nname: a‸: b\n",
      "not YAML: mapping values are not allowed in this context; put text with ': ' in it in "
        + "quotes, or check the indent",
    ),
    Marked(
      "multiroute: 1\nroutes: {a: [1, 2\n‸",
      "not YAML: did not find expected ',' or ']'; a bracket is not closed or a comma is missing",
    ),
    Marked(
      "multiroute: 1\nname: \"x\n‸",
      "not YAML: found unexpected end of stream; a quote is not closed"
    ),
    Marked(
      "multiroute: 1\n‸---\nname: x\n",
      "a second document; a graph file holds one",
    ),
    Marked("‸", "the file is empty; it starts with 'multiroute: 1'"),
    Marked(
      "‸# nothing\n",
      "the file is empty; it starts with "
        + "'multiroute: 1'"
    ),
    Marked(
      "multiroute: 1\nname: ‸!!str x\n",
      "the tag 'tag:yaml.org,2002:str' is not known; graph files have no tags"
    ),
    Marked(
      "name: &nam x\nramp: ‸*name\n",
      "the alias '*name' has no anchor; write '&name' before a value above it (did you mean "
        + "'nam'?)",
    ),
    Marked(
      "‸- multiroute\n",
      "graph file: a list where a mapping is needed; keys: \(rootKeys)"
    ),
    Marked(
      "multiroute: 1\nname: é‸\u{1}\n",
      "not YAML: control characters are not allowed; remove it, or write it as '\\x..' in double "
        + "quotes",
    ),
  ]

  @Test("text that is not YAML is reported in the same form", arguments: syntax)
  func syntaxError(fault: Marked) {
    #expect(fault.found == fault.expected)
  }

  @Test("a small file cannot stand for a large tree")
  func aliasBomb() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...30 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(aliases)]\n"
    }
    let messages = faults(of: text).map(\.message)
    #expect(messages == ["more than 50000 values; the values behind an alias count each time"])
    #expect(faults(of: text + "? [*a30]\n: x\n").count == 1)
  }

  @Test("lists cannot be deep")
  func depth() {
    let deep = String(repeating: "[", count: 500_000)
    #expect(faults(of: "a: \(deep)").map(\.message) == ["lists and mappings more than 24 deep"])
    let block = String(repeating: "- ", count: 500_000)
    #expect(faults(of: block).map(\.message) == ["lists and mappings more than 24 deep"])
  }

  @Test("values and files cannot be long")
  func sizes() {
    let value = String(repeating: "x", count: 4_097)
    #expect(faults(of: "name: \(value)\n").map(\.message) == ["a value longer than 4096 bytes"])
    let text = "multiroute: 1\n#" + String(repeating: "x", count: (1 << 20) - 15)
    #expect(faults(of: text).isEmpty)
    let tooLarge = ["the file is too large; a graph file has at most 1048576 bytes"]
    #expect(faults(of: text + "x").map(\.message) == tooLarge)
  }

  @Test("a file full of faults shows the first hundred and counts the rest")
  func manyFaults() {
    let text =
      Marked.soundGraph + "mix:\n"
      + String(repeating: "  - {from: nobody, to: nowhere}\n", count: 5_000)
    let found = faults(of: text)
    #expect(found.count == 101)
    // Two unknown names in each entry, and each entry after the first a repetition.
    #expect(found.last?.message == "14899 more errors are not shown; correct these first")
  }

  @Test("all faults of a file come at once, in the order of the file")
  func allAtOnce() {
    let text = """
      multiroute: 1
      ramp: 5
      routes:
        main: {type: lineOt, ports: [x], gian: 0 dB}
      mix:
        - {from: a, to: mian}
      sources: []
      """
    let places = faults(of: text).map { "\($0.line):\($0.column)" }
    #expect(places == ["2:7", "4:16", "4:32", "4:36", "6:12", "6:19", "7:10"])
  }

  @Test("a byte-order mark and Windows line ends do no harm")
  func encodings() {
    #expect(faults(of: "\u{FEFF}multiroute: 1\r\nname: x\r\n").isEmpty)
    let found = faults(of: "multiroute: 1\r\nname: 1\r\n")
    #expect(found.map(\.line) == [2] && found.map(\.column) == [7])
  }

  @Test("a message is one line, whatever the file holds")
  func oneLine() {
    let value = #""a\nb\u2028\x1b[31m"# + String(repeating: "x", count: 100) + "\""
    let message = faults(of: "multiroute: 1\nname: \(value)\n").map(\.message).joined()
    #expect(message.hasPrefix(#"name: 'a\nb\u{2028}\u{1B}[31mxxx"#))
    #expect(message.contains("xxx…'"))
  }
}
