// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import Testing

/// Every rule has a test that names it.
@Suite("Coverage of the rules")
struct RuleCoverageTests {
  /// The rules of docs/sessions.md, and those of inter-app audio, by group, each with its number of rules.
  private static let groups = [
    "SES": 7, "CAT": 5, "OPT": 2, "MOD": 4, "ACT": 10, "INT": 8, "RTE": 7, "HW": 9, "RST": 2,
    "PRM": 4, "SYS": 6, "VOL": 4, "PLR": 5, "IAA": 8,
  ]

  /// Rules of these groups that no test names yet.
  private static let open: Set<String> = ["PLR-4"]

  private static let rules =
    groups.flatMap { group, count in (1...count).map { "\(group)-\($0)" } }
    .filter { !open.contains($0) } + ["PRE"]

  @Test("each rule is named by a test")
  func everyRuleIsTested() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let files = try #require(
      FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)
    )
    var named: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") where Self.isName(line) {
        let words = line.split { !($0.isLetter || $0.isNumber || $0 == "-") }
        named.formUnion(words.map(String.init))
      }
    }
    #expect(Set(Self.rules).subtracting(named).sorted() == [])
  }

  /// Whether a line holds a test's name: that of the macro, which may stand on a line of its own, or of the
  /// function.
  private static func isName(_ line: Substring) -> Bool {
    line.contains("@Test(\"") || line.contains("func `") || line.hasPrefix("    \"")
      || line.contains("@Suite(\"")
  }

  @Test("each rule that decisions name is one of them")
  func decisionsNameRules() {
    #expect(RuleID.allCases.map(\.rawValue).filter { !Self.rules.contains($0) } == [])
  }
}
