// SPDX-License-Identifier: MIT

internal import Patchbay

/// The connections of a program that were cut, and how often it has made them again (PRM-4).
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
  /// A program with more ports than this that were cut insists, though it made none of its connections twice.
  static let manyPorts = 32
  /// After so long without an attempt the count begins again: a minute.
  static let quietNanoseconds: UInt64 = 60_000_000_000

  /// The number of connections that were cut.
  private(set) var cuts = 0
  private var pairs: Set<ConnectionPair> = []
  private var attempts = 0
  private var latestNanoseconds: UInt64 = 0

  /// Counts a connection that was cut; an attempt is one that was cut before.
  mutating func note(_ pair: ConnectionPair, nowNanoseconds: UInt64) -> Count {
    if isQuiet(nowNanoseconds: nowNanoseconds) { self = Insistence() }
    latestNanoseconds = nowNanoseconds
    cuts += 1
    // A program that makes a new client for each attempt makes no connection twice.
    let isNew = pairs.count <= Self.manyPorts && pairs.insert(pair).inserted
    if isNew, pairs.count <= Self.manyPorts { return .few }
    attempts += 1
    if attempts < Self.enoughAttempts { return .few }
    return attempts == Self.enoughAttempts ? .enough : .more
  }

  /// Whether there has been no attempt for a minute.
  func isQuiet(nowNanoseconds: UInt64) -> Bool {
    nowNanoseconds &- latestNanoseconds > Self.quietNanoseconds
  }
}
