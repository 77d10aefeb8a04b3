// SPDX-License-Identifier: MIT

internal import Patchbay

/// The attempts of a client to connect itself past its gate, of which the user is told once (PRM-4).
///
/// Pure value: [any-thread].
struct Insistence: Sendable {
  /// How many attempts there have been within the last minute of attempts.
  enum Count: Sendable, Equatable {
    /// So few that each is reported.
    case few
    /// So many that the user is told of them.
    case enough
    /// More, of which the user has been told.
    case more
  }

  /// The attempt of which the user is told.
  static let enoughAttempts = 3
  /// After so long without an attempt the count begins again: a minute.
  static let quietNanoseconds: UInt64 = 60_000_000_000

  private var cut: Set<ConnectionPair> = []
  private var attempts = 0
  private var latestNanoseconds: UInt64 = 0

  /// Counts a connection that was cut; an attempt is one that was cut before.
  mutating func note(_ pair: ConnectionPair, nowNanoseconds: UInt64) -> Count {
    if nowNanoseconds &- latestNanoseconds > Self.quietNanoseconds { attempts = 0 }
    latestNanoseconds = nowNanoseconds
    guard !cut.insert(pair).inserted else { return .few }
    attempts += 1
    if attempts < Self.enoughAttempts { return .few }
    return attempts == Self.enoughAttempts ? .enough : .more
  }
}
