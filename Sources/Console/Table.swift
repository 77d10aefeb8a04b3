// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

/// Lines of cells, printed in columns as wide as their longest cell.
///
/// Pure value: [any-thread].
public struct Table: Sendable {
  /// The alignment of a column.
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
  ///   - alignments: The alignments of the columns; further columns are flush left.
  public init(_ header: [String], alignments: [Alignment] = []) {
    self.header = header.map(ShownText.clean)
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

  /// The alignment of a column.
  public func alignment(ofColumn column: Int) -> Alignment {
    column < alignments.count ? alignments[column] : .left
  }

  /// Adds a line; missing cells stay empty, cells beyond the header are left out, and names are cleaned (``ShownText``).
  public mutating func add(_ cells: [String]) {
    let padding = repeatElement("", count: max(0, header.count - cells.count))
    rows.append(cells.prefix(header.count).map(ShownText.clean) + padding)
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

/// Numbers as the tables print them.
///
/// [any-thread]
enum Figures {
  /// A number with as many decimals as say something, at most `decimals`.
  static func plain(_ value: Double, decimals: Int = 3) -> String {
    guard value.isFinite else { return value < 0 ? "-inf" : "\(value)" }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let whole = Int64(scaled) / Int64(scale)
    let fraction = Int64(scaled) % Int64(scale)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard fraction != 0 else { return "\(sign)\(whole)" }
    var digits = String(fraction)
    digits = String(repeating: "0", count: decimals - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(whole).\(digits)"
  }

  /// A level or gain in dB with one decimal: `-6.0 dB`.
  static func decibels(_ value: Double) -> String {
    guard value.isFinite else { return "-inf dB" }
    let tenths = Int((abs(value) * 10).rounded())
    return "\(value < 0 && tenths != 0 ? "-" : "")\(tenths / 10).\(tenths % 10) dB"
  }

  /// The time between two times in nanoseconds, in whole seconds: `75 s`.
  static func seconds(from start: UInt64, to end: UInt64) -> String {
    "\(end > start ? (end - start) / 1_000_000_000 : 0) s"
  }

  /// A value with its unit; seconds are printed as milliseconds, hertz as they are.
  static func quantity(_ value: Double?, unit: HardwareStatus.Unit?) -> String {
    guard let value else { return "–" }
    return switch unit {
    case .seconds: "\(plain(value * 1000)) ms"
    case .channels, nil: plain(value)
    case .hertz, .frames: "\(plain(value)) \(unit?.name ?? "")"
    }
  }
}
