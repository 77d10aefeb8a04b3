// SPDX-License-Identifier: MIT

/// The difference of two texts in the form that `patch` reads.
///
/// Pure functions: [any-thread].
public enum UnifiedDiff {
  /// The number of equal lines around a change.
  private static let context = 3

  /// A line of one text or of both; its place counts the lines of each text before it.
  private struct Line {
    let sign: Character
    let text: Substring
    let old: Int
    let new: Int
  }

  /// Compares two texts line by line.
  ///
  /// - Parameters:
  ///   - old: The text before.
  ///   - new: The text after.
  ///   - path: The name of the old file.
  ///   - newPath: The name of the new file.
  /// - Returns: The difference with the end of its last line; empty for equal texts.
  public static func text(
    from old: String,
    to new: String,
    path: String,
    newPath: String,
  ) -> String {
    let lines = lines(split(old), split(new))
    let changes = lines.indices.filter { lines[$0].sign != " " }
    guard !changes.isEmpty else { return "" }
    var ranges: [Range<Int>] = []
    for index in changes {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return "--- \(path)\n+++ \(newPath)\n" + ranges.map { hunk(lines[$0]) }.joined()
  }

  /// The lines with their ends; CR LF is one end.
  private static func split(_ text: String) -> [Substring] {
    var lines: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex { $0 == "\n" || $0 == "\r\n" }
      let next = end.map(text.index(after:)) ?? text.endIndex
      lines.append(text[start..<next])
      start = next
    }
    return lines
  }

  private static func lines(_ old: [Substring], _ new: [Substring]) -> [Line] {
    let difference = new.difference(from: old)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [Line] = []
    var (a, b) = (0, 0)
    while a < old.count || b < new.count {
      if a < old.count, removed.contains(a) {
        lines.append(Line(sign: "-", text: old[a], old: a, new: b))
        a += 1
      } else if b < new.count, inserted.contains(b) {
        lines.append(Line(sign: "+", text: new[b], old: a, new: b))
        b += 1
      } else {
        lines.append(Line(sign: " ", text: old[a], old: a, new: b))
        a += 1
        b += 1
      }
    }
    return lines
  }

  private static func hunk(_ lines: ArraySlice<Line>) -> String {
    let oldCount = lines.count { $0.sign != "+" }
    let newCount = lines.count { $0.sign != "-" }
    let first = lines.first
    let old = (first?.old ?? 0) + (oldCount > 0 ? 1 : 0)
    let new = (first?.new ?? 0) + (newCount > 0 ? 1 : 0)
    return "@@ -\(old),\(oldCount) +\(new),\(newCount) @@\n"
      + lines.map { line in
        let isWhole = line.text.hasSuffix("\n") || line.text.hasSuffix("\r\n")
        return "\(line.sign)\(line.text)" + (isWhole ? "" : "\n\\ No newline at end of file\n")
      }.joined()
  }
}
