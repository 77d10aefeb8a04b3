// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// Every rule of the protocols of control surfaces and session managers that the host follows is named by a test.
struct SurfaceRuleTests {
  private static let rules: [String: [Int]] = [
    // OSC 1.0 and 1.1, and the ways of its clients.
    "OSC": [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 14, 20, 21, 22, 23],
    // The OSCQuery proposal.
    "OQ": Array(1...10),
    // Messages, encoders, takeover, feedback and names of MIDI controllers.
    "MID": [1, 2, 3, 4, 10, 11, 20, 23, 30, 31, 40, 41, 42, 43],
    // Mackie Control.
    "MCU": [1, 2, 3, 4, 5, 10, 11, 12, 30, 31, 40, 41, 50, 51, 52, 60, 61],
    // The dialect of X-Air mixers.
    "XA": [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 20, 21, 22, 30, 31, 32, 33, 34],
    // The travel of faders.
    "TAP": [1, 5],
    // The New Session Manager: announcing, messages, errors, folders, names, ends, and the ways of managers.
    "NSM": Array(1...7) + Array(10...13) + [20] + Array(30...33) + Array(40...42) + [50, 51]
      + Array(60...66) + [70],
  ]

  /// The rules that tell the ways of other programs and devices, which the host does not have.
  private static let others: [String: [Int]] = [
    // Ardour's own OSC, that of non-mixer-xt, Open Stage Control's and TouchOSC's widgets, HUI.
    "ARD": Array(1...8), "NMX": Array(1...5), "OPN": Array(1...3), "TOS": [1, 2],
    "HUI": Array(1...5),
    // A limit of liblo, which has no method here to coerce numbers; a trap of Ardour.
    "OSC": [8, 13],
    // Takeovers of others, rings of X-Touch controllers, asking a device for its identity.
    "MID": [21, 22, 32, 44],
    // Travels of other faders, and a scale for meters.
    "TAP": [2, 3, 4],
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
    #expect(Self.names(Self.rules).subtracting(named).sorted() == [])
    // A rule that has a test is none of the others.
    #expect(Self.names(Self.others).intersection(named).sorted() == [])
  }

  private static func names(_ rules: [String: [Int]]) -> Set<String> {
    Set(rules.flatMap { family, numbers in numbers.map { "\(family)-\($0)" } })
  }

  /// Whether a line holds a test's name.
  private static func isName(_ line: Substring) -> Bool {
    line.contains("@Test(\"") || line.contains("func `") || line.hasPrefix("    \"")
      || line.hasPrefix("    `")
  }
}
