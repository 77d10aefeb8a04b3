// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Every rule of the protocols of control surfaces that the host follows is named by a test.
struct SurfaceRuleTests {
  private static let rules: [String: [Int]] = [
    // OSC 1.0 and 1.1, and the ways of its clients.
    "OSC": [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 14, 20, 21, 22, 23],
    // The OSCQuery proposal.
    "OQ": Array(1...10),
    // Messages, encoders, takeover, feedback and names of MIDI controllers.
    "MID": [1, 2, 3, 4, 10, 11, 20, 23, 30, 40, 41, 42, 43],
    // Mackie Control.
    "MCU": [1, 2, 3, 4, 5, 10, 11, 12, 30, 31, 40, 41, 50, 51, 52, 60, 61],
    // The dialect of X-Air mixers.
    "XA": [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 20, 21, 22, 30, 31, 32, 33, 34],
    // The travel of faders.
    "TAP": [1, 5],
  ]

  @Test func `each rule is named by a test`() throws {
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
    let rules = Set(Self.rules.flatMap { family, numbers in numbers.map { "\(family)-\($0)" } })
    #expect(rules.subtracting(named).sorted() == [])
  }

  /// Whether a line holds a test's name.
  private static func isName(_ line: Substring) -> Bool {
    line.contains("@Test(\"") || line.contains("func `") || line.hasPrefix("    \"")
      || line.hasPrefix("    `")
  }
}
