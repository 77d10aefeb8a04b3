// SPDX-License-Identifier: MIT

import Console
import Testing

struct TableTests {
  @Test func `columns are as wide as their longest cell, and numbers are flush right`() {
    var table = Table(["name", "gain", "note"], alignments: [.left, .right])
    table.add(["deck-a", "-6.0", "loud"])
    table.add(["b", "-12.5", ""])
    #expect(
      table.lines() == [
        "name     gain  note",
        "deck-a   -6.0  loud",
        "b       -12.5",
      ]
    )
  }

  @Test func `missing cells stay empty, and cells too many are left out`() {
    var table = Table(["a", "b"])
    table.add(["1"])
    table.add(["1", "2", "3"])
    #expect(table.lines() == ["a  b", "1", "1  2"])
    #expect(Table([]).lines() == [""])
  }
}
