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

  private let header: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - header: The columns' titles.
  ///   - alignments: How the columns are set; columns beyond it are flush left.
  public init(_ header: [String], alignments: [Alignment] = []) {
    self.header = header
    self.alignments = alignments
  }

  /// Adds a line; missing cells stay empty, cells beyond the header are left out.
  public mutating func add(_ cells: [String]) {
    let padding = repeatElement("", count: max(0, header.count - cells.count))
    rows.append(Array(cells.prefix(header.count)) + padding)
  }

  /// The lines, without line ends and without trailing blanks.
  public func lines() -> [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      var line = row.indices.map { column in
        let blanks = String(repeating: " ", count: widths[column] - row[column].count)
        let isRight = column < alignments.count && alignments[column] == .right
        return isRight ? blanks + row[column] : row[column] + blanks
      }.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
