// SPDX-License-Identifier: MIT

public import Sessions

/// A rehearsal, and the differences between two, as text of at most 80 columns.
///
/// Pure functions: [any-thread].
public enum RehearsalView {
  /// The widths of time, event, session, state and rule; with two blanks between them 80 together.
  private static let widths = [9, 19, 13, 25, 6]
  private static let width = 80

  /// The changes of a rehearsal, a line for each session that is heard otherwise than before, and for each refusal.
  ///
  /// - Parameter rehearsal: The rehearsal.
  /// - Returns: The header and the lines; events that change nothing are left out.
  public static func lines(_ rehearsal: Rehearsal) -> [String] {
    let header = row(["time", "event", "session", "becomes", "rule"])
    let rule = row(widths.map { String(repeating: "─", count: $0) })
    let rows = rehearsal.moments.flatMap { moment in
      cells(moment).enumerated().flatMap { index, cells in
        let isFirst = index == 0
        return row(
          [isFirst ? seconds(moment.offsetNanoseconds) : "", isFirst ? moment.event : ""] + cells
        )
      }
    }
    return header + rule + rows
  }

  /// Session, state and rule of each change and each refusal at a moment.
  private static func cells(_ moment: Rehearsal.Moment) -> [[String]] {
    let changes = moment.changes.map { change in
      [change.name, change.after?.phrase ?? "gone", change.after?.rule?.rawValue ?? ""]
    }
    let refusals = moment.decisions.compactMap { decision -> [String]? in
      guard case .refused(let error) = decision.kind else { return nil }
      return [decision.app ?? "–", "refused: \(error.message)", decision.rule.rawValue]
    }
    return changes + refusals
  }

  /// The differences between two policies, each with both states and their rules.
  ///
  /// - Parameter comparison: The differences.
  /// - Returns: A line for each event, and under it one for each session.
  public static func lines(_ comparison: RehearsalComparison) -> [String] {
    var lines: [String] = []
    var last: Int?
    for difference in comparison.differences {
      if last != difference.number {
        let time = padded(seconds(difference.offsetNanoseconds), 9)
        lines += WrappedText.lines("\(time)  \(difference.event)", indent: 11, width: width)
      }
      last = difference.number
      let (first, second) = (state(difference.first), state(difference.second))
      let text =
        difference.isOver
        ? "\(difference.name): \(first) with both" : "\(difference.name): \(first) → \(second)"
      lines += WrappedText.lines(blanks(11) + text, indent: 13, width: width)
    }
    return lines
  }

  /// A time in seconds with three decimals.
  static func seconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = (nanoseconds + 500_000) / 1_000_000
    let rest = String(milliseconds % 1_000)
    return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
  }

  private static func state(_ standing: Standing?) -> String {
    guard let standing else { return "not there" }
    return standing.phrase + (standing.rule.map { " (\($0.rawValue))" } ?? "")
  }

  /// The lines of one row: long cells go on below.
  private static func row(_ cells: [String]) -> [String] {
    let columns = zip(cells, widths).map { WrappedText.lines($0, width: $1) }
    let count = columns.map(\.count).max() ?? 0
    return (0..<count).map { line in
      var text = columns.indices.map { column in
        let cell = line < columns[column].count ? columns[column][line] : ""
        let isTime = column == 0 && cell.last == "s"
        return isTime
          ? padded(cell, widths[column]) : cell + blanks(widths[column] - WrappedText.columns(cell))
      }.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    blanks(width - WrappedText.columns(text)) + text
  }

  private static func blanks(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }
}
