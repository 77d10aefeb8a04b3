// SPDX-License-Identifier: MIT

import Testing

@testable import GraphFiles

/// The differences of two versions of a graph.
@Suite("Differences of graphs")
struct DifferenceTests {
  static let tables = FieldTable.host + FieldTable.mix + FieldTable.surfaces

  private func parse(_ text: String, path: String = "show/g.yaml") throws -> GraphFile {
    try GraphFile.parse("multiroute: 1\n" + text, path: path, files: .everythingExists)
  }

  @Test(
    "a graph has none to itself, nor to its text in another folder",
    arguments: ShippedGraphs.names
  )
  func none(name: String) throws {
    let path = ShippedGraphs.path(name)
    let graph = try GraphFile.load(path: path, files: .everythingExists)
    #expect(GraphDifference(from: graph, to: graph).isEmpty)
    var moved = graph
    moved.path = "elsewhere/graph.yaml"
    #expect(GraphDifference(from: graph, to: moved).isEmpty)
  }

  @Test("each field of each type has a table", arguments: tables)
  func tableIsComplete(table: FieldTable) throws {
    let value = try #require(table.value(try FieldTable.graph()))
    let fields = Mirror(reflecting: value).children.compactMap(\.label)
    #expect(!fields.isEmpty)
    #expect(Set(fields) == Set(table.changes.map(\.field)).union(table.exempt), "\(table.type)")
  }

  @Test("a change of each field is a difference, back and forth", arguments: tables)
  func fields(table: FieldTable) throws {
    let graph = try FieldTable.graph()
    for change in table.changes {
      var other = graph
      change.change(&other)
      for (from, to) in [(graph, other), (other, graph)] {
        let difference = GraphDifference(from: from, to: to)
        #expect(!difference.isEmpty, "\(table.type).\(change.field)")
        for case .changed(let values) in difference.changes.map(\.kind) {
          #expect(!values.isEmpty && values.allSatisfy { $0.from != $0.to }, "\(values)")
        }
      }
    }
  }

  @Test("a change of one value has that value alone, in the words of the file")
  func words() throws {
    let old = try parse("routes: {main: {type: lineOut, ports: [a:b], gain: -6 dB, limiter: {}}}\n")
    let new = try parse(
      "routes: {main: {type: lineOut, ports: [a:b], gain: -3.5 dB, limiter: {release: 1 s}, label: PA}}\n"
    )
    let difference = GraphDifference(from: old, to: new)
    #expect(
      difference.changes == [
        GraphChange(
          place: .route("main"),
          kind: .changed([
            .init("gain", from: "-6 dB", to: "-3.5 dB"),
            .init("limiter.release", from: "50 ms", to: "1 s"),
            .init("label", from: nil, to: "PA"),
          ]),
          title: "route main",
        )
      ]
    )
    #expect(!difference.needsNewAttachment)
  }

  @Test("one rule more is one change, and so is one less, wherever it stands", arguments: 0...3)
  func oneRule(index: Int) throws {
    let rules = ["a", "b", "c"].map { "{client: \($0), session: {preset: player}}" }
    var more = rules
    more.insert("{client: x, leave: true}", at: index)
    let old = try parse("adopt: [\(rules.joined(separator: ", "))]\n")
    let new = try parse("adopt: [\(more.joined(separator: ", "))]\n")
    let title = "adoption rule \(index + 1) (client x)"
    #expect(
      GraphDifference(from: old, to: new).changes
        == [GraphChange(place: .adoption(index), kind: .added, title: title)]
    )
    #expect(
      GraphDifference(from: new, to: old).changes
        == [GraphChange(place: .adoption(index), kind: .gone, title: title)]
    )
  }

  @Test("a rule for the same clients is changed, and one at another place has moved")
  func sameRule() throws {
    let old = try parse("adopt: [{client: a, leave: true}, {client: b, leave: true}]\n")
    let changed = try parse(
      "adopt: [{client: a, session: {preset: player}}, {client: b, leave: true}]\n"
    )
    let moved = try parse("adopt: [{client: b, leave: true}, {client: a, leave: true}]\n")
    let first = GraphDifference(from: old, to: changed).changes
    #expect(first.map(\.place) == [.adoption(0)])
    guard case .changed(let values) = first.first?.kind else {
      Issue.record("not a change: \(first)")
      return
    }
    #expect(values.contains(.init("leave", from: "true", to: nil)))
    #expect(values.contains(.init("session.preset", from: nil, to: "player")))
    let second = GraphDifference(from: old, to: moved).changes
    #expect(second.count == 1 && second.first?.kind != .added && second.first?.kind != .gone)
  }

  @Test("the order of sources is a difference where both graphs have them")
  func order() throws {
    let old = try parse("sources: {a: {tone: {}}, b: {tone: {}}}\n")
    let new = try parse("sources: {b: {tone: {}}, a: {tone: {}}}\n")
    let between = try parse("sources: {a: {tone: {}}, c: {tone: {}}, b: {tone: {}}}\n")
    #expect(
      GraphDifference(from: old, to: new).changes.map(\.kind)
        == [.changed([.init("sources", from: "[a, b]", to: "[b, a]")])]
    )
    #expect(GraphDifference(from: old, to: between).changes.map(\.place) == [.source("c")])
  }

  @Test(
    "names of the host and settings of the server need another attachment, and nothing else does"
  )
  func attachment() throws {
    let old = try parse("name: a\nserver: {start: never}\n")
    func needs(_ text: String) throws -> Bool {
      GraphDifference(from: old, to: try parse(text)).needsNewAttachment
    }
    #expect(try needs("name: b\nserver: {start: never}\n"))
    #expect(try needs("name: a\nserver: {name: x, start: never}\n"))
    #expect(try !needs("name: a\nserver: {start: always}\n"))
    #expect(try !needs("name: a\nserver: {start: never}\nramp: 1 s\n"))
  }
}

extension FieldTable: CustomTestStringConvertible {
  var testDescription: String { type }
}
