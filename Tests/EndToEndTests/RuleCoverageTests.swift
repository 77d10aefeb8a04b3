// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import Testing

/// Every rule of the sessions and of inter-app audio is shown against a real host and server, and not to the tower alone.
struct RuleCoverageTests {
  @Test func `each rule is named by a test with a host of its own`() throws {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
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
    let rules = Set(RuleID.allCases.map(\.rawValue)).union([
      "INT-6", "INT-7", "ACT-10", "RTE-7", "HW-6", "VOL-1", "PLR-3", "PLR-4",
    ]).union((1...8).map { "IAA-\($0)" })
    #expect(rules.subtracting(named).sorted() == [])
  }

  /// Whether a line holds a test's name.
  private static func isName(_ line: Substring) -> Bool {
    line.contains("@Test(\"") || line.contains("func `") || line.hasPrefix("    \"")
  }
}
