// SPDX-License-Identifier: MIT

import GraphFiles
import JACK
import TestSupport
import Testing

@testable import Patchbay

/// The connections that rules ask for, against the plain meaning of the rules.
struct PatchBookTests {
  private static let selectors = [
    "a:1", "b:2", "/a:.*/", "/.*:1/", "/[ab]:[12]/", "c:1", "/(.*):([123])/",
  ]
  private static let templates = [
    "x:1", "y:2", "/x:.*/", "/.*:2/", #"x:\2"#, #"/.*:\2/"#, #"\1\1:\2"#,
  ]

  private static func rule(_ random: inout SeededRandom) -> GraphFile.PatchRule? {
    let kind = ["connect", "connect", "omit", "deny"].randomElement(using: &random) ?? ""
    let source = selectors.randomElement(using: &random) ?? ""
    let target = templates.randomElement(using: &random) ?? ""
    return GraphFile.PatchRule(text: "{\(kind): '\(source)', to: '\(target)'}")
  }

  /// The connections that rules ask for among ports, looked up pair by pair.
  private static func asked(
    _ rules: [GraphFile.PatchRule],
    _ ports: Set<String>,
    _ infos: [String: PortInfo],
  ) -> Set<ConnectionPair> {
    var graph = GraphFileRules(rules)
    var pairs: Set<ConnectionPair> = []
    for source in ports where infos[source]?.isOutput == true {
      for destination in ports where infos[destination]?.isInput == true {
        if graph.connects(source, destination) {
          pairs.insert(ConnectionPair(source, destination))
        }
      }
    }
    return pairs
  }

  /// The rules as their documentation says, without any index.
  private struct GraphFileRules {
    let rules: [GraphFile.PatchRule]
    init(_ rules: [GraphFile.PatchRule]) { self.rules = rules }
    mutating func connects(_ source: String, _ destination: String) -> Bool {
      let matching = rules.filter { $0.matches(source, to: destination) }
      return !matching.contains { $0.kind == .deny } && matching.last?.kind == .connect
    }
  }

  @Test(arguments: 1...20)
  func `ports that come and go in any order are asked for as the rules say`(round: Int) throws {
    var random = TestSeed.random(number: round)
    let outputs = ["a", "b", "c"].flatMap { client in (1...3).map { "\(client):\($0)" } }
    let inputs = ["x", "y", "aa"].flatMap { client in (1...3).map { "\(client):\($0)" } }
    let infos = Dictionary(
      uniqueKeysWithValues: outputs.map { ($0, Ports.output($0)) }
        + inputs.map { ($0, Ports.input($0)) }
    )
    var present: Set<String> = []
    var book = PatchBook()
    var rules: [GraphFile.PatchRule] = []
    for step in 0..<300 {
      if step % 50 == 0 {
        rules = (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in Self.rule(&random) }
        book.take(rules)
      }
      let name = (outputs + inputs).randomElement(using: &random) ?? ""
      if present.remove(name) != nil {
        book.remove(name)
      } else if let info = infos[name] {
        present.insert(name)
        book.insert(info)
      }
      let expected = Self.asked(rules, present, infos)
      try #require(Set(book.asked.keys) == expected, "step \(step) of round \(round)")
    }
  }

  @Test func `a rule that asks for too much asks for its limit, and says so`() throws {
    let graph = try GraphFile.parse(
      "multiroute: 1\npatches: [{connect: /o:.*/, to: /i:.*/}]",
      path: "p.yaml",
    )
    var book = PatchBook()
    book.take(graph.patches)
    for number in 1...70 {
      book.insert(Ports.output("o:\(number)"))
      book.insert(Ports.input("i:\(number)"))
    }
    #expect(book.asked.count == PatchBook.limitOfRule && book.overfull == [0])
  }
}
