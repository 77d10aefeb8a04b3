// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The keys to the web page, one line each.
///
/// Pure value: [any-thread].
public enum WebTokenTable {
  /// The lines of a table.
  ///
  /// - Parameters:
  ///   - list: The keys.
  ///   - nowSeconds: The time, in seconds since 1970.
  /// - Returns: The titles, and a line for each key.
  public static func lines(_ list: WebTokenList, nowSeconds: Int) -> [String] {
    let rows = list.tokens.map { token in
      [
        "\(token.id)",
        ([token.$role] + [token.route].compactMap(\.self)).joined(separator: " "),
        token.label,
        state(of: token, nowSeconds),
      ]
    }
    var table = Table(["key", "role", "label", "state"], alignments: [.right])
    for row in rows { table.add(row) }
    return table.lines()
  }

  private static func state(of token: WebTokenList.Token, _ now: Int) -> String {
    let end = "ends in \(span(token.expiresSeconds - now))"
    guard let used = token.usedSeconds else { return "not used yet, \(end)" }
    guard token.connections > 0 else { return "used \(span(now - used)) ago, \(end) without use" }
    return token.connections == 1 ? "1 connection" : "\(token.connections) connections"
  }

  /// A time in the largest unit that fits.
  private static func span(_ seconds: Int) -> String {
    switch max(seconds, 0) {
    case let time where time >= 2 * 86_400: "\(time / 86_400) days"
    case let time where time >= 2 * 3_600: "\(time / 3_600) h"
    case let time where time >= 120: "\(time / 60) min"
    case let time: "\(time) s"
    }
  }
}
