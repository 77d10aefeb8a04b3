// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import Testing

/// Every rule of the sessions and of inter-app audio is shown against a real host and server, and not to the tower alone.
struct RuleCoverageTests {
  /// All rules that need a host, with those that the tower leaves to it.
  private static let rules = Set(RuleID.allCases.map(\.rawValue)).union([
    "INT-6", "INT-7", "ACT-10", "RTE-7", "HW-6", "VOL-1", "PLR-3", "PLR-4",
  ]).union((1...8).map { "IAA-\($0)" })

  @Test func `each rule is named by a test with a host of its own`() throws {
    let named = try Self.named(in: "EndToEndTests").union(Self.named(in: "LongTests"))
    #expect(Self.rules.subtracting(named).sorted() == [])
  }

  @Test func `each family of rules is named by a test of the gate`() throws {
    func family(_ word: String) -> Substring { word.prefix { $0 != "-" } }
    let named = Set(try Self.named(in: "EndToEndTests").map(family))
    #expect(Set(Self.rules.map(family)).union(["PRE"]).subtracting(named).sorted() == [])
  }

  /// The words in the names of a target's tests.
  private static func named(in target: String) throws -> Set<String> {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = try #require(
      FileManager.default.enumerator(
        at: tests.appending(path: target),
        includingPropertiesForKeys: nil,
      )
    )
    var named: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") where isName(line) {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "-") }
        named.formUnion(words.map(String.init))
      }
    }
    return named
  }

  /// Whether a line holds a test's name.
  private static func isName(_ line: Substring) -> Bool {
    line.contains("@Test(\"") || line.contains("func `") || line.hasPrefix("    \"")
  }
}
