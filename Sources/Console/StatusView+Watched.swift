// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The state of a host on a screen of its own. [any-thread]
extension StatusView {
  /// The lines that sessions leave to the mix, at least.
  private static let mixRows = 6
  /// The sessions and alarms that are shown on the lowest terminal.
  private static let fewest = 3

  /// The lines for `multiroute status --watch`: first what changes while somebody looks, then the mix and the hardware.
  ///
  /// Host, server, alarms, late cycles and sessions come first, long lists end with their number, so that a usual graph shows
  /// all of these on a terminal of 80 columns and 24 rows.
  ///
  /// - Parameters:
  ///   - status: The state.
  ///   - monotonicNanoseconds: Now on CLOCK_MONOTONIC, as the state's own times are.
  ///   - style: The terminal.
  /// - Returns: The text line by line, each at most as wide as the terminal; more lines than it has where that is all.
  public static func watched(
    _ status: HostStatus,
    monotonicNanoseconds: UInt64,
    style: ScreenStyle,
  ) -> [String] {
    let width = style.columns
    let alarms = limited(status.alarms.map(alarmLine), to: fewest, "alarms")
    var lines = wrapped(
      [hostLine(status), HardwareTable.serverLine(status.server)] + alarms
        + engineLines(status.engine),
      width,
    )
    if !status.sessions.isEmpty {
      // Blank lines stand around the table, and its last line may have the number of the others.
      let room = style.rows - lines.count - 4 - mixRows
      let shown = status.sessions.prefix(max(fewest, room))
      let table = sessionTable(
        Array(shown),
        monotonicNanoseconds,
        width: width,
        onOneLine: true,
      )
      lines += [""] + table.lines(width: width)
      let more = status.sessions.count - shown.count
      if more > 0 { lines.append("and \(more) more sessions") }
    }
    lines += [""] + stripTable(status).lines(width: width)
    lines += wrapped(silenceLines(status.sessions) + mixLines(status), width)
    lines += [""] + HardwareTable.routeTable(status).lines(width: width)
    lines += wrapped(HelperLines.lines(status), width)
    lines += [""] + sendTable(status).lines(width: width)
    return lines + [""] + HardwareTable.valueTable(status).lines(width: width)
  }

  private static func limited(_ lines: [String], to limit: Int, _ name: String) -> [String] {
    guard lines.count > limit else { return lines }
    return lines.prefix(limit) + ["and \(lines.count - limit) more \(name)"]
  }
}
