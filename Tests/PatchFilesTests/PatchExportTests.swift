// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import PatchFiles

/// Graphs as files of other programs.
struct PatchExportTests {
  private static let graph = #"""
    multiroute: 1
    patches:
      - {connect: "a & b:out <1>", to: "system:playback_1"}
      - {connect: "a & b:out <2>", to: "system:playback_2"}
      - {connect: '/synth.*:(l|left)/', to: "system:playback_1", exclusive: both}
      - {connect: '/x:(.*)/', to: 'y:\1'}
      - {deny: /.*/, to: system:playback_3}
      - {connect: "a & b:out <1>", to: "system:playback_4", keep: always}
    """#

  private static func rules() throws -> [GraphFile.PatchRule] {
    try GraphFile.parse(graph, path: "p.yaml").patches
  }

  @Test func `rules are the same after a way through qjackctl's form`() throws {
    let rules = try Self.rules()
    let exported = PatchExport(rules, as: .qjackctl, name: "p")
    #expect(exported.text.contains("<!DOCTYPE patchbay"), "\(exported.text)")
    #expect(exported.notes.map(\.line) == [6, 7])
    let imported = try PatchImport(Array(exported.text.utf8))
    #expect(imported.notes == [])
    #expect(
      Set(imported.rules.map(Self.form))
        == Set([rules[0], rules[1], rules[2], rules[5]].map(Self.form)),
      "\(exported.text)",
    )
    // An active patch bay keeps its connections always.
    #expect(imported.rules.allSatisfy { $0.keep == .always })
  }

  /// The ports of a rule.
  private static func form(_ rule: GraphFile.PatchRule) -> String {
    "\(rule.source) \(rule.destination?.text ?? "") \(rule.exclusive?.rawValue ?? "")"
  }

  @Test func `rules by name are the same after a way through aj-snapshot's form`() throws {
    let rules = try Self.rules()
    let exported = PatchExport(rules, as: .ajSnapshot, name: "p")
    #expect(exported.notes.map(\.line) == [5, 6, 7, 8])
    let imported = try PatchImport(Array(exported.text.utf8))
    #expect(
      Set(imported.rules.map(\.text))
        == Set(
          [
            rules[0], rules[1], .init(.connect, "a & b:out <1>", to: "system:playback_4"),
          ].map(\.text)
        )
    )
  }
}
