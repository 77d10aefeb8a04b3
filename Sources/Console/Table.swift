// SPDX-License-Identifier: MIT

/// Lines of cells, printed in columns as wide as their longest cell.
public struct Table: Sendable {
  /// How a column is set.
  public enum Alignment: Sendable {
    /// Flush left.
    case left
    /// Flush right, for numbers.
    case right
  }

  /// The columns' titles.
  public let header: [String]
  /// The lines below them, each with a cell for every column.
  public private(set) var rows: [[String]] = []
  private let alignments: [Alignment]

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - header: The columns' titles.
  ///   - alignments: How the columns are set; columns beyond it are flush left.
  public init(_ header: [String], alignments: [Alignment] = []) {
    self.header = header
    self.alignments = alignments
  }

  /// Makes a table of words on the left and figures on the right.
  ///
  /// - Parameters:
  ///   - header: The columns' titles.
  ///   - wordColumns: How many columns, from the left, hold words.
  ///   - rows: The lines.
  public init(_ header: [String], wordColumns: Int, rows: [[String]]) {
    self.init(header, alignments: header.indices.map { $0 < wordColumns ? .left : .right })
    for row in rows { add(row) }
  }

  /// How a column is set.
  public func alignment(ofColumn column: Int) -> Alignment {
    column < alignments.count ? alignments[column] : .left
  }

  /// Adds a line; missing cells stay empty, cells beyond the header are left out.
  public mutating func add(_ cells: [String]) {
    let padding = repeatElement("", count: max(0, header.count - cells.count))
    rows.append(Array(cells.prefix(header.count)) + padding)
  }

  /// The lines, without line ends and without trailing blanks.
  ///
  /// - Parameter isRuled: Whether a rule stands below the header.
  /// - Returns: The header, the rule where wanted, and the rows.
  public func lines(isRuled: Bool = false) -> [String] {
    let widths = header.indices.map { column in
      ([header] + rows).map { $0[column].count }.max() ?? 0
    }
    let rule = isRuled ? [widths.map { String(repeating: "─", count: $0) }] : []
    return ([header] + rule + rows).map { row in
      var line = row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        return alignment(ofColumn: column) == .right ? blanks + row[column] : row[column] + blanks
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
