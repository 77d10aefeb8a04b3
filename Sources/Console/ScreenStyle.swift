// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The abilities of the terminal, or of the file, that text goes to.
///
/// Pure value: [any-thread].
public struct ScreenStyle: Sendable, Hashable {
  /// The width in characters.
  public var columns: Int
  /// The height in lines.
  public var rows: Int
  /// Whether characters beyond ASCII can be shown.
  public var isUnicode: Bool
  /// Whether colors can be shown.
  public var hasColor: Bool

  /// Makes a style.
  public init(columns: Int, rows: Int, isUnicode: Bool = true, hasColor: Bool = false) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    self.isUnicode = isUnicode
    self.hasColor = hasColor
  }

  /// Whether the locale of an environment shows characters beyond ASCII.
  ///
  /// - Parameters:
  ///   - environment: The variables of the process.
  ///   - isTerminal: Whether a terminal shows the text. Without any locale a terminal gets ASCII, a file UTF-8.
  /// - Returns: Whether UTF-8 may be written.
  public static func isUnicode(_ environment: [String: String], isTerminal: Bool) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    guard let locale else { return !isTerminal }
    let name = locale.lowercased()
    return name.contains("utf-8") || name.contains("utf8")
  }

  /// Whether an environment asks for colors: not with `NO_COLOR`, and not on a terminal without control codes.
  public static func hasColor(_ environment: [String: String], isTerminal: Bool) -> Bool {
    guard isTerminal, (environment["NO_COLOR"] ?? "").isEmpty else { return false }
    return !["", "dumb"].contains(environment["TERM"] ?? "")
  }

  /// The lines as far as they fit the terminal, so that it neither wraps nor scrolls.
  ///
  /// - Parameters:
  ///   - lines: Lines without control codes.
  ///   - rest: The text of the last line where lines are left out, from their number.
  /// - Returns: At most as many lines as the terminal has.
  public func fitted(_ lines: [String], rest: (Int) -> String) -> [String] {
    var shown = lines
    if lines.count > rows {
      shown = Array(lines.prefix(rows - 1))
      shown.append(rest(lines.count - shown.count))
    }
    return shown.map { WrappedText.prefix($0, columns: columns) }
  }
}

/// Text for terminals that show ASCII only.
///
/// Pure function: [any-thread].
public enum PlainText {
  private static let substitutes: [Character: String] = [
    "–": "-", "—": "-", "−": "-", "→": "->", "←": "<-", "…": "...", "µ": "u", "μ": "u", "×": "x",
    "≤": "<=", "≥": ">=", "∞": "inf", "„": "\"", "“": "\"", "”": "\"", "‘": "'", "’": "'", "·": ".",
    "█": "#", "░": ".", "─": "-", "±": "+/-",
  ]

  /// The text in ASCII: our own signs by words of ASCII, other characters by `?`.
  public static func ascii(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { result, character in
      result += character.isASCII ? String(character) : substitutes[character] ?? "?"
    }
  }
}

/// The events that `multiroute run` prints for people.
///
/// Pure function: [any-thread].
public enum EventLines {
  /// Whether an event concerns a user who did not ask for all events.
  ///
  /// Decisions of the control tower, notifications to sessions and changes that a user has just made are left out.
  public static func isTold(_ kind: EventKind?) -> Bool {
    switch kind {
    case .decision, .session, .gateClosed, .latencyChanged, .alignment, .mixChanged, .fadeFinished,
      .remoteControl, .sourceConnected:
      false
    default: true
    }
  }
}
