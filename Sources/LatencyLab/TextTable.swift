// SPDX-License-Identifier: MIT

/// A table of monospaced text: the first columns to the left, figures to the right.
struct TextTable {
  var headings: [String]
  var rows: [[String]]
  /// How many columns, from the left, hold words.
  var wordColumns = 1

  /// The table, each line ending with a line feed.
  var text: String {
    let widths = headings.indices.map { column in
      ([headings] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      var text = ""
      for (column, width) in widths.enumerated() {
        let cell = column < cells.count ? cells[column] : ""
        let padding = String(repeating: " ", count: width - cell.count)
        text += (column == 0 ? "" : "  ") + (column < wordColumns ? cell + padding : padding + cell)
      }
      return String(text.reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    let rule = line(widths.map { String(repeating: "─", count: $0) })
    return line(headings) + rule + rows.map(line).joined()
  }
}
