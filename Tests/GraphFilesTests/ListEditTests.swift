// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// Lists in the text of graph files, in every form in which they can be written.
@Suite("Lists by hand in the text of a graph")
struct ListEditTests {
  /// A graph text with `LIST` in the place of the inserts of its only route.
  struct Form: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var lineBreak = "\n"

    /// The texts around a list of inserts, which stay as they are whatever becomes of the list.
    var around: [Substring] { text.split(separator: "LIST", omittingEmptySubsequences: false) }

    func graph(_ names: [String]) -> String {
      let isFlow = text.contains("[LIST]")
      let list =
        isFlow
        ? names.joined(separator: ", ")
        : names.map { "\(lineBreak)      - \($0)" }.joined()
      return text.replacing("LIST", with: list)
    }
  }

  private static let start =
    "multiroute: 1\nsession: {options: [mixWithOthers]}\nroutes:\n  main:\n    type: lineOut\n    ports: [a:b]\n    inserts:"

  static let forms: [Form] = [
    Form(testDescription: "flow", text: start + " [LIST] # the chain\n"),
    Form(testDescription: "flow at the end", text: start + " [LIST]"),
    Form(
      testDescription: "flow in flow",
      text: "multiroute: 1\nsession: {options: [mixWithOthers]}\n"
        + "routes: {main: {type: lineOut, ports: [a:b], inserts: [LIST]}}\n",
    ),
    Form(testDescription: "block", text: start + "LIST\n# below\n"),
    Form(testDescription: "block at the end", text: start + "LIST"),
    Form(
      testDescription: "block with CR LF",
      text: start.replacing("\n", with: "\r\n") + "LIST\r\n# below\r\n",
      lineBreak: "\r\n",
    ),
    Form(
      testDescription: "block with LF behind a first line with CR LF",
      text: start.replacing("multiroute: 1\n", with: "multiroute: 1\r\n") + "LIST\n# below\n",
    ),
  ]

  /// All lists of some of these names, each once, in every order.
  private static func lists(of names: [String]) -> [[String]] {
    names.reduce([[]]) { lists, name in
      lists
        + lists.flatMap { list in
          (0...list.count).map { Array(list[..<$0]) + [name] + Array(list[$0...]) }
        }
    }
  }

  @Test(arguments: forms)
  func `every list of inserts becomes every other one, and the text around it stays`(
    form: Form
  ) throws {
    let lists = Self.lists(of: ["a", "b", "c"])
    #expect(lists.count == 16)
    for old in lists where !old.isEmpty {
      let text = form.graph(old)
      for new in lists + [["d"], ["a", "d"], ["d", "a"], ["b", "d", "a"]] where new != old {
        let uses = new.map { GraphFile.NodeUse(name: $0) }
        let edit = GraphEdit(.route("main"), .inserts(uses))
        let revision = try GraphRevision(
          of: text,
          path: "g.yaml",
          files: .everythingExists,
          edits: [edit],
        )
        let graph = try GraphFile.parse(revision.text, path: "g.yaml", files: .everythingExists)
        #expect(graph.routes.first?.inserts == uses, "\(old) to \(new):\n\(revision.text)")
        let around = form.around
        #expect(revision.text.hasPrefix(around[0]), "\(old) to \(new):\n\(revision.text)")
        #expect(revision.text.hasSuffix(around[1]), "\(old) to \(new):\n\(revision.text)")
        // A list of which a name stays keeps its form, and no line is left over, empty or half.
        guard old.contains(where: new.contains) else { continue }
        let lines = [revision.text, form.graph(new)].map { $0.replacing("\r\n", with: "\n") }
        #expect(lines[0] == lines[1], "\(old) to \(new)")
      }
    }
  }

  @Test func `a list that stands for another one is written out, and the other one stays`() throws {
    let text = """
      multiroute: 1
      session: {options: [mixWithOthers]}
      routes:
        main: {type: lineOut, ports: ["a:b"], inserts: &none []}
        second: {type: HDMI, ports: ["a:c"], inserts: *none}

      """
    let revision = try GraphRevision(
      of: text,
      path: "g.yaml",
      files: .everythingExists,
      edits: [GraphEdit(.route("second"), .inserts([GraphFile.NodeUse(name: "fx")]))],
    )
    #expect(revision.text == text.replacing("*none", with: "[fx]"))
  }

  @Test func `an edit that would make a fault is refused, and one that changes nothing is not`()
    throws
  {
    func revision(_ names: String...) throws -> GraphRevision {
      let uses = names.map { GraphFile.NodeUse(name: $0) }
      return try GraphRevision(
        of: Marked.soundGraph,
        path: "g.yaml",
        files: .everythingExists,
        edits: [GraphEdit(.route("main"), .inserts(uses))],
      )
    }
    #expect(try revision().text == Marked.soundGraph)
    // The session does not mix, so it has no nodes.
    let error = #expect(throws: GraphRevisionFault.self) { try revision("fx") }
    #expect(error?.description.contains("the new text would have a fault") == true)
  }

  @Test func `a key is written into an empty mapping`() throws {
    let text = Marked.soundGraph + "controls: {}\n"
    let revision = try GraphRevision(
      of: text,
      path: "g.yaml",
      files: .everythingExists,
      edits: [GraphEdit(.cue, .to("phones"))],
    )
    #expect(revision.text == text.replacing("{}\n", with: "{cue: {to: phones}}\n"))
  }

  @Test func `a learned control is written into an empty list, and behind others`() throws {
    let first = ControlMapping(try MIDIControl("cc 1/9"), .parameter("/strip/beep/pan"))
    let second = ControlMapping(try MIDIControl("cc 1/10"), .parameter("/strip/beep/gain"))
    for map in ["[]", "[ ]"] {
      let text = Marked.soundGraph + "controls: {midi: {box: {device: Box, map: \(map)}}}\n"
      let revision = try GraphRevision(
        of: text,
        path: "g.yaml",
        files: .everythingExists,
        edits: [first, second].map { GraphEdit(.controller("box"), .map($0)) },
      )
      let graph = try GraphFile.parse(revision.text, path: "g.yaml", files: .everythingExists)
      #expect(graph.controllers.first?.mappings == [first, second], "\(revision.text)")
    }
  }
}
