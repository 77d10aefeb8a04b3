// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

/// The sessions of a host as text. [any-thread]
extension StatusView {
  /// A fact about a session: a column of the table.
  private struct Fact: Sendable {
    let title: String
    var alignment = Table.Alignment.left
    /// Whether the table can do without it where the terminal is narrow.
    var isDispensable = false
    let text: @Sendable (SessionStatus, UInt64?) -> String
  }

  private static let facts = [
    Fact(title: "session") { session, _ in session.id },
    Fact(title: "app", isDispensable: true) { session, _ in session.app },
    Fact(title: "class", isDispensable: true) { session, _ in session.$priorityClass },
    Fact(title: "category") { session, _ in session.$category },
    Fact(title: "mode", isDispensable: true) { session, _ in session.$mode },
    Fact(title: "active") { session, _ in session.active ? "yes" : "no" },
    Fact(title: "state") { session, _ in state(of: session) + direct(of: session) },
    Fact(title: "for", alignment: .right) { session, now in
      now.map { Figures.seconds(from: session.sinceMonotonicNanoseconds, to: $0) } ?? ""
    },
    Fact(title: "rule") { session, _ in session.rule?.name ?? "" },
  ]

  /// The table of sessions, with as many facts as fit.
  ///
  /// - Parameters:
  ///   - sessions: The sessions.
  ///   - now: Now on CLOCK_MONOTONIC, in nanoseconds.
  ///   - width: The columns of the terminal; nil for all facts.
  ///   - onOneLine: Whether facts give way, rather than that a session takes several lines.
  /// - Returns: The table.
  static func sessionTable(
    _ sessions: [SessionStatus],
    _ now: UInt64?,
    width: Int?,
    onOneLine: Bool = false,
  ) -> Table {
    var shown = facts
    while true {
      var table = Table(shown.map(\.title), alignments: shown.map(\.alignment))
      for session in sessions { table.add(shown.map { $0.text(session, now) }) }
      guard let width, !table.fits(width, onOneLine: onOneLine),
        let last = shown.lastIndex(where: \.isDispensable)
      else { return table }
      shown.remove(at: last)
    }
  }

  /// Why active sessions are silent; the table says who is interrupted, and who is not active.
  static func silenceLines(_ sessions: [SessionStatus]) -> [String] {
    sessions.filter { $0.active && $0.interruptedBy == nil }.compactMap(\.silence)
  }

  private static func state(of session: SessionStatus) -> String {
    if let interrupter = session.interruptedBy { return "interrupted by \(interrupter)" }
    guard session.duckedBy.isEmpty else {
      let duckers = session.duckedBy.joined(separator: ", ")
      return "\(Figures.decibels(session.duckGainDB)) by \(duckers)"
    }
    if !session.connected { return "not connected" }
    if session.silentForLong { return "active but silent for long" }
    return session.sounding ? "heard" : "silent"
  }

  /// That it is heard past its strips, where it is.
  private static func direct(of session: SessionStatus) -> String {
    session.direct.isEmpty ? "" : ", directly at \(session.direct.joined(separator: ", "))"
  }
}
