// SPDX-License-Identifier: MIT

/// At which sample rates the server is restarted for sessions, and how often.
///
/// Pure value: [any-thread].
struct RateChoice: Sendable {
  /// The consequence of a preferred rate.
  enum Answer: Sendable, Equatable {
    /// The server stays as it is.
    case stay
    /// The server is restarted at that rate.
    case restart
    /// The server stays as it is, because sessions have had it restarted too often.
    case giveWay(_ reason: String)
  }

  private static let usualHz = [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]

  /// The reason why a preferred rate is not the actual one; nil if the server was not asked.
  private(set) var refusal: String?

  private var budget = EnforcementBudget(limit: 6)
  /// Rates that the driver does not run at; not tried again on this server.
  private var refusedHz: Set<Int> = []

  /// The rates to choose from: the usual ones, the one that the server runs at, and the graph's.
  static func ratesHz(actualHz: Int, preferredHz: Int?) -> [Double] {
    Set(usualHz + [actualHz, preferredHz ?? actualHz]).sorted().map(Double.init)
  }

  /// Begins on another server, which was asked for the graph's rate.
  mutating func begin(preferredHz: Int?, actualHz: Int) {
    refusedHz.removeAll()
    if let preferredHz, preferredHz != actualHz { refusedHz.insert(preferredHz) }
  }

  /// Decides on a preferred rate.
  mutating func choose(_ wantedHz: Int, actualHz: Int, nowNanoseconds: UInt64) -> Answer {
    guard wantedHz != actualHz, !refusedHz.contains(wantedHz) else { return .stay }
    guard budget.spend(nowNanoseconds: nowNanoseconds) else {
      let reason = "sessions have had it changed \(budget.limit) times within a minute"
      refusal = reason
      return .giveWay(reason)
    }
    return .restart
  }

  /// Takes in the outcome of a restart.
  ///
  /// - Parameters:
  ///   - wantedHz: The rate that was asked for.
  ///   - actualHz: The rate that the server runs at.
  ///   - reason: The server's reason for another rate.
  mutating func restarted(for wantedHz: Int, actualHz: Int, _ reason: String?) {
    refusal = nil
    guard actualHz != wantedHz else { return }
    refusedHz.insert(wantedHz)
    refusal = reason
  }
}
