// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Console

struct WebTokenTableTests {
  private func token(
    _ id: Int,
    used: Int? = nil,
    expires: Int,
    connections: Int = 0
  ) -> WebTokenList.Token {
    WebTokenList.Token(
      id: id,
      role: id == 1 ? .mix : .watch,
      route: id == 1 ? "monitor" : nil,
      label: "phone \u{1B}[2J",
      madeSeconds: 0,
      usedSeconds: used,
      expiresSeconds: expires,
      connections: connections,
    )
  }

  @Test func `each key has a line with its rights and its state`() {
    let list = WebTokenList(tokens: [
      token(1, expires: 1_300), token(2, used: 400, expires: 2_592_400),
      token(13, used: 990, expires: 2_592_990, connections: 2),
    ])
    let lines = WebTokenTable.lines(list, nowSeconds: 1_000)
    #expect(lines.count == 4)
    #expect(
      lines[1].hasPrefix("  1  mix monitor") && lines[1].hasSuffix("not used yet, ends in 5 min")
    )
    #expect(
      lines[2].hasPrefix("  2  watch")
        && lines[2].hasSuffix("used 10 min ago, ends in 29 days without use")
    )
    #expect(lines[3].hasPrefix(" 13  watch") && lines[3].hasSuffix("2 connections"))
    #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
  }
}
