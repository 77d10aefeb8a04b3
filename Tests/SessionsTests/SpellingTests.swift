// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("Spelling of names")
struct SpellingTests {
  @Test(
    "slips between two texts: a letter that is missing, too much, wrong, or in the wrong place",
    arguments: [
      ("", "", 0), ("", "ab", 2), ("ab", "", 2), ("gain", "gain", 0), ("gain", "gaim", 1),
      ("gain", "gan", 1), ("gain", "again", 1), ("gain", "gian", 1), ("ab", "ba", 1),
      ("ab", "bca", 3), ("gain", "xyzw", 4), ("aabb", "abab", 1), ("abcd", "badc", 2),
      ("label", "lable", 1), ("kitten", "sitting", 3),
    ]
  )
  func distance(first: String, second: String, slips: Int) {
    let (a, b) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
    #expect(Spelling.distance(a, b) == slips)
    #expect(Spelling.distance(b, a) == slips)
  }

  @Test(
    "a third of the letters may be wrong, and one in each name",
    arguments: [
      ("gian", "gain"), ("GAIN", "gain"), ("gaxx", nil), ("t", "to"), ("te", "to"), ("x", nil),
      ("", nil), ("ports", "ports"), ("pxrtx", nil), ("crossfaderxxx", "crossfader"),
      ("crossfaderxxxxxx", nil), ("crxssfxdxr", "crossfader"), ("crxssxxdxr", nil),
    ]
  )
  func nearest(written: String, meant: String?) {
    let names = ["gain", "to", "ports", "crossfader"]
    #expect(Spelling.nearest(to: written, among: names) == meant)
    #expect(
      Spelling.suggestion(for: written, among: names)
        == (meant.map { " (did you mean '\($0)'?)" } ?? "")
    )
  }

  @Test("of several names, the nearest; of equal ones, the first")
  func best() {
    #expect(Spelling.nearest(to: "mute", among: ["mude", "mutes", "mute"]) == "mute")
    #expect(Spelling.nearest(to: "mutx", among: ["muty", "mute"]) == "muty")
    #expect(Spelling.nearest(to: "abcdef", among: ["abcdxx", "abcdex"]) == "abcdex")
  }

  @Test("texts of more than 64 letters are no names")
  func long() {
    let name = String(repeating: "a", count: 64)
    #expect(Spelling.nearest(to: name, among: [name]) == name)
    #expect(Spelling.nearest(to: name + "a", among: [name]) == nil)
  }

  @Test("a name in other letters is known where it is the only one")
  func caseOfLetters() {
    #expect(Spelling.name("gain", among: ["gain", "Gain"]) == "gain")
    #expect(Spelling.name("GAIN", among: ["gain", "pan"]) == "gain")
    #expect(Spelling.name("GAIN", among: ["gain", "Gain"]) == nil)
    #expect(Spelling.name("gains", among: ["gain"]) == nil)
  }

  @Test("the longer of two names says how many letters may be wrong, and no name means none")
  func lengths() {
    #expect(Spelling.nearest(to: "abcdx", among: ["abcdef"]) == "abcdef")
    #expect(Spelling.nearest(to: "abcdef", among: ["abcdx"]) == "abcdx")
    #expect(Spelling.nearest(to: "abcd", among: ["abcdef"]) == "abcdef")
    #expect(Spelling.nearest(to: "abcx", among: ["abcde"]) == nil)
    #expect(Spelling.nearest(to: "", among: ["a", "ab"]) == nil)
  }
}
