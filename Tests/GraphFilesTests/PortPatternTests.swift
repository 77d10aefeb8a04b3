// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import GraphFiles

/// Patterns that cost much time or memory in a matcher that backtracks, or that has a table for each repeat.
@Suite(.serialized)
struct PortPatternTests {
  private static let costly = [
    "(a*)*b", "(a|a)*(a|a)*(a|a)*(a|a)*b", "(x{100}){10}", "((a?){24}){10}", "(a{0,60}){4}",
    "[ab]*a[ab]{200}", ".*a.{99}b", "(.*a){60}", "(.?){240}",
  ]

  /// A matcher that backtracks does not end here within the time of the universe.
  @Test(.timeLimit(.minutes(1)), arguments: costly)
  func `a costly pattern is through with long names`(expression: String) throws {
    let pattern = try PortPattern(expression)
    var random = TestSeed.random()
    let letters: [Character] = ["a", "a", "b", "x", ":"]
    for number in 0..<12 {
      let letter = { number < 4 ? "a" : letters.randomElement(using: &random) ?? "a" }
      let name = String((0..<3_190).map { _ in letter() })
      _ = pattern.matches(name)
      #expect(!pattern.matches(name + "!"))
    }
  }

  @Test func `many costly patterns take little memory`() throws {
    let before = try Self.residentBytes()
    var patterns: [PortPattern] = []
    for number in 0..<64 { patterns.append(try PortPattern("((x{1,10}){9}){10}\(number)")) }
    let name = "x:" + String(repeating: "x", count: 317)
    #expect(!patterns.contains { $0.matches(name) })
    let grown = try Self.residentBytes() - before
    #expect(grown < 32 << 20, "\(grown) bytes")
  }

  @Test(arguments: [
    ("[[:alnum:]]+:out_[[:digit:]]", "deck7:out_1", true), ("\\w+:out_\\d", "deck:out_x", false),
    ("é?:.", "é:ü", true), ("a:[äö]", "a:ö", true), ("^a:b$", "a:b", true),
    ("a:.", "a:\n", true), ("a:b\\b", "a:b", true), ("a{2,}:b", "aaa:b", true),
    ("(a|ab)(c|bcd):(d*)", "abcd:", true), ("a:.", "a:\u{FFFD}", true),
  ])
  func `names are matched by character`(expression: String, name: String, isMatch: Bool) throws {
    #expect(try PortPattern(expression).matches(name) == isMatch)
  }

  private static func residentBytes() throws -> Int {
    let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
