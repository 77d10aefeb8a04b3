// SPDX-License-Identifier: MIT

import Console
import ControlProtocol
import Testing

/// Text that fits its terminal.
struct ScreenStyleTests {
  @Test(arguments: [
    (["LANG": "C"], true, false), (["LANG": "C"], false, false),
    (["LANG": "C.UTF-8"], true, true), (["LANG": "de_DE.utf8"], false, true),
    (["LANG": "en_US.UTF-8", "LC_ALL": "POSIX"], true, false),
    (["LANG": "", "LC_ALL": ""], true, false), ([:], false, true),
  ])
  func `the locale decides about characters beyond ASCII`(
    environment: [String: String],
    isTerminal: Bool,
    isUnicode: Bool,
  ) {
    #expect(ScreenStyle.isUnicode(environment, isTerminal: isTerminal) == isUnicode)
  }

  @Test(arguments: [
    (["TERM": "xterm"], true, true), (["TERM": "xterm"], false, false),
    (["TERM": "xterm", "NO_COLOR": "1"], true, false), (["TERM": "dumb"], true, false),
    ([:], true, false),
  ])
  func `colors need a terminal that has them`(
    environment: [String: String],
    isTerminal: Bool,
    hasColor: Bool,
  ) {
    #expect(ScreenStyle.hasColor(environment, isTerminal: isTerminal) == hasColor)
  }

  @Test func `lines are cut to the terminal, and the last one counts the others`() {
    let style = ScreenStyle(columns: 10, rows: 3)
    let long = String(repeating: "x", count: 30)
    let lines = style.fitted([long, "b", "c", "d"]) { "\($0) more" }
    #expect(lines == [String(repeating: "x", count: 10), "b", "2 more"])
    #expect(style.fitted(["a", "b", "c"]) { "\($0) more" } == ["a", "b", "c"])
  }

  @Test func `our own signs have ASCII forms, and JSON-like text stays as it is`() {
    #expect(PlainText.ascii("a → b, 5 µs … –") == "a -> b, 5 us ... -")
    #expect(PlainText.ascii("Gerät") == "Ger?t")
    #expect(PlainText.ascii("{\"a\":1}") == "{\"a\":1}")
  }

  @Test func `a start tells of the hardware, not of the tower's decisions`() {
    for kind in [EventKind.decision, .session, .latencyChanged] {
      #expect(!EventLines.isTold(kind))
    }
    for kind in [EventKind.serverLost, .xrun, .error, .nodeFault, .permission, .stopping] {
      #expect(EventLines.isTold(kind))
    }
    // An event of a later version is told.
    #expect(EventLines.isTold(nil))
  }
}
