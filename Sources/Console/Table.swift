// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

/// Lines of cells, printed in columns as wide as their longest cell, or narrower ones that fit a terminal.
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
  /// The least columns to which a word is shortened.
  private static let readableWidth = 8
  private static let gap = "  "

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
  /// - Parameters:
  ///   - isRuled: Whether a rule stands below the header.
  ///   - width: The columns of the terminal: cells of words go on below where the table is wider, and words that are wider
  ///     than their column end with `…`; nil for any width.
  /// - Returns: The header, the rule where wanted, and the rows.
  public func lines(isRuled: Bool = false, width: Int? = nil) -> [String] {
    let widths = widths(within: width)
    let rule = isRuled ? [widths.map { String(repeating: "─", count: $0) }] : []
    return ([header] + rule + rows).flatMap { lines(of: $0, widths) }.map { line in
      width.map { WrappedText.prefix(line, columns: $0) } ?? line
    }
  }

  /// Whether all words fit a width, and each cell one line of it where that is asked for.
  func fits(_ width: Int, onOneLine: Bool) -> Bool {
    Self.sum(onOneLine ? naturalWidths : wordWidths) <= width
  }

  /// The lines of one row.
  private func lines(of row: [String], _ widths: [Int]) -> [String] {
    let cells = row.indices.map { column -> [String] in
      guard alignment(ofColumn: column) == .left else { return [row[column]] }
      let words = row[column].split(separator: " ", omittingEmptySubsequences: false)
        .map { WrappedText.shortened(String($0), columns: widths[column]) }
      return WrappedText.lines(words.joined(separator: " "), width: widths[column])
    }
    return (0..<(cells.map(\.count).max() ?? 1)).map { index in
      var line = cells.indices.map { column in
        let cell = index < cells[column].count ? cells[column][index] : ""
        let room = max(0, widths[column] - WrappedText.columns(cell))
        let blanks = String(repeating: " ", count: room)
        return alignment(ofColumn: column) == .right ? blanks + cell : cell + blanks
      }.joined(separator: Self.gap)
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// The columns' widths: the widest column gives way first, between its words, and then within them.
  private func widths(within limit: Int?) -> [Int] {
    var widths = naturalWidths
    guard let limit else { return widths }
    for least in [wordWidths, wordWidths.map { min($0, Self.readableWidth) }] {
      while Self.sum(widths) > limit {
        let narrowable = widths.indices.filter { column in
          alignment(ofColumn: column) == .left && widths[column] > least[column]
        }
        guard let widest = narrowable.max(by: { widths[$0] < widths[$1] }) else { break }
        widths[widest] -= 1
      }
    }
    return widths
  }

  private var naturalWidths: [Int] { widths { WrappedText.columns($0) } }

  /// The widths of the longest words; figures stay whole.
  private var wordWidths: [Int] {
    let words = widths { cell in cell.split(separator: " ").map(WrappedText.columns).max() ?? 0 }
    let cells = naturalWidths
    return words.indices.map { alignment(ofColumn: $0) == .right ? cells[$0] : words[$0] }
  }

  private func widths(_ width: (String) -> Int) -> [Int] {
    header.indices.map { column in ([header] + rows).map { width($0[column]) }.max() ?? 0 }
  }

  /// The columns of a whole line.
  private static func sum(_ widths: [Int]) -> Int {
    widths.reduce(0, +) + gap.count * max(0, widths.count - 1)
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
