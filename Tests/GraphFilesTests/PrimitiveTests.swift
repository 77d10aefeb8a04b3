// SPDX-License-Identifier: MIT

import Sessions
import Testing
import YAML

@testable import GraphFiles

@Suite("Numbers, spelling, patterns, positions")
struct PrimitiveTests {
  @Test(
    "a value is a number and what follows",
    arguments: [
      ("5 ms", "5", "ms"), ("-6dB", "-6", "dB"), ("+.5  s", "+.5", "s"), ("1.", "1.", ""),
      ("-inf dB", "-inf", "dB"), ("x", "", "x"), ("-", "", "-"), (".", "", "."), ("", "", ""),
      ("1e5", "1", "e5"), ("0x10", "0", "x10"), ("1.2.3", "1.2", ".3"), ("٣", "", "٣"),
    ]
  )
  func numbers(text: String, number: String, unit: String) {
    let parts = NumberText(text)
    #expect(parts.number == number && parts.unit == unit)
  }

  @Test(
    "durations are written in the unit that reads best",
    arguments: [
      (Duration.milliseconds(5), "5 ms"), (.microseconds(1_500), "1.5 ms"), (.zero, "0 ms"),
      (.nanoseconds(20), "20 ns"), (.seconds(90), "90 s"), (.seconds(7_200), "2 h"),
    ]
  )
  func durations(duration: Duration, text: String) {
    #expect(duration.graphText == text)
  }

  @Test(
    "slips are found, other words are not",
    arguments: [
      ("gian", "gain"), ("Gain", "gain"), ("gan", "gain"), ("lable", "label"), ("zebra", nil),
      ("", nil), ("prots", "ports"), ("o", "to"),
    ]
  )
  func spelling(written: String, meant: String?) {
    #expect(Spelling.nearest(to: written, among: ["gain", "label", "ports", "to"]) == meant)
  }

  @Test("a brace that is not closed stands for itself", arguments: ["a{,3", "a{"])
  func openBrace(expression: String) throws {
    let pattern = try PortPattern(expression)
    #expect(pattern.matches(expression) && !pattern.matches("a"))
  }

  @Test(
    "numbers are written without a needless fraction",
    arguments: [
      (0.0, "0"), (-3, "-3"), (0.5, "0.5"), (999_999_999_999_999, "999999999999999"),
      (1e16, "1e+16"),
      (.infinity, "inf"), (-.infinity, "-inf"),
    ]
  )
  func numberTexts(number: Double, text: String) {
    #expect(number.graphText == text)
  }

  @Test("the distance counts swaps of neighbours once")
  func distance() {
    func distance(_ a: String, _ b: String) -> Int {
      Spelling.distance(Array(a.unicodeScalars), Array(b.unicodeScalars))
    }
    #expect(distance("ab", "ba") == 1)
    #expect(distance("kitten", "sitting") == 3)
    #expect(distance("", "abc") == 3 && distance("abc", "") == 3)
  }

  @Test(
    "a pattern matches whole names only",
    arguments: [
      ("PulseAudio.*:.*FL", "PulseAudio-12:front-FL", true), ("out_1", "Mixxx:out_1", false),
      ("Mixxx:out_[01]", "Mixxx:out_1", true), ("Mixxx:out_[01]", "Mixxx:out_11", false),
      ("a|ab", "ab", true), ("(a|b)*", "abba", true), ("x{3}", "xxx", true),
      ("(x{10}){100}", String(repeating: "x", count: 1_000), true), ("a:é.", "a:éx", true),
      ("ab*", "a", true), ("ab?c", "ac", true), ("ab{0,2}c", "ac", true), ("ab+", "a", false),
      ("a\\.b", "a.b", true), ("a\\.b", "axb", false), ("abc|d", "d", true),
    ]
  )
  func patterns(expression: String, name: String, isMatch: Bool) throws {
    #expect(try PortPattern(expression).matches(name) == isMatch)
    #expect(PortSelector.pattern(try PortPattern(expression)).matches(name) == isMatch)
  }

  @Test(
    "patterns that are wrong, slow or large are refused",
    arguments: [
      ("", "it is empty"), ("(a", "missing ): (a"), ("[a", "missing ]: [a"),
      ("(a)\\1", "back references are not allowed"), ("a\0b", "it holds a zero byte"),
      ("(a{100}){100}", "its repeat counts multiply to over 1000"),
      ("b{0}(a{40}){40}", "its repeat counts multiply to over 1000"),
      ("a{9999999999999999999}{2000}", "its repeat counts multiply to over 1000"),
      (
        ".{400}",
        "its repeats make more than 2000 steps; repeat less, or write .* for any text"
      ),
      ("a{,3}", "'{,3}' has no lowest count; write {0,3}"),
      ("\\<a", "'\\<' and '\\>' are not known; write \\b"),
      ("*a", "no argument for repetition operator: *"), ("a\\", "trailing \\"),
      (String(repeating: "a", count: 257), "it is longer than 256 bytes"),
    ]
  )
  func refusedPatterns(expression: String, reason: String) {
    #expect(throws: PortPattern.Fault(description: reason)) { try PortPattern(expression) }
  }

  @Test("positions count lines as YAML does")
  func positions() {
    func position(_ text: String) -> SourcePosition { SourcePosition(after: text.unicodeScalars) }
    #expect(position("") == SourcePosition(line: 1, column: 1))
    #expect(position("é\r\nab") == SourcePosition(line: 2, column: 3))
    #expect(position("\r\r\n\n") == SourcePosition(line: 4, column: 1))
  }

  @Test("names are fit for JACK, a socket path and a pattern")
  func names() {
    #expect(
      ["a", "deck-a", "A_1", String(repeating: "x", count: 40)].allSatisfy(GraphName.isValid)
    )
    let bad = ["", "1a", "-a", "a b", "a.b", "é", "a/b", "a\n", String(repeating: "x", count: 41)]
    #expect(!bad.contains(where: GraphName.isValid))
  }

  @Test(arguments: [
    "", "#", "#12345", "#1234567", "#12345g", "123456", "#1２345", "Red", "red;x", "url(#a)",
    "#+12345",
  ])
  func `a text that is no name and no six digits is no colour`(text: String) {
    #expect(GraphColor(text) == nil)
  }
}
