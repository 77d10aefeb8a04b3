// SPDX-License-Identifier: MIT

/// The differences between two policies on one log.
///
/// Pure value: [any-thread].
public struct RehearsalComparison: Sendable {
  /// A session that two policies treat differently from an event on.
  public struct Difference: Hashable, Sendable {
    /// The number of the event's entry, from 1.
    public let number: Int
    /// When, in nanoseconds after the first entry.
    public let offsetNanoseconds: UInt64
    /// The event, in a few words.
    public let event: String
    /// The name of the session.
    public let name: String
    /// How it is heard with the first policy; nil where it is not there.
    public let first: Standing?
    /// How it is heard with the second policy; nil where it is not there.
    public let second: Standing?

    /// Whether this event ends an earlier difference.
    public var isOver: Bool { RehearsalComparison.isSame(first, second) }
  }

  /// The differences, oldest first: each time that a pair of states changes, and each end of a difference.
  public let differences: [Difference]

  /// Compares two rehearsals of one log.
  ///
  /// - Parameters:
  ///   - first: The rehearsal of the first policy.
  ///   - second: That of the second, with as many entries.
  public init(_ first: Rehearsal, _ second: Rehearsal) {
    var known: [String: Pair] = [:]
    var differences: [Difference] = []
    for (one, other) in zip(first.moments, second.moments) {
      let ours = Dictionary(one.standings.map { ($0.name, $0) }) { first, _ in first }
      let theirs = Dictionary(other.standings.map { ($0.name, $0) }) { first, _ in first }
      for name in Set(ours.keys).union(theirs.keys).union(known.keys).sorted() {
        let (before, after) = (ours[name], theirs[name])
        let pair = Pair(before, after)
        let isSame = Self.isSame(before, after)
        guard isSame ? known[name] != nil : known[name] != pair else { continue }
        known[name] = isSame ? nil : pair
        differences.append(
          Difference(
            number: one.number,
            offsetNanoseconds: one.offsetNanoseconds,
            event: one.event,
            name: name,
            first: before,
            second: after,
          )
        )
      }
    }
    self.differences = differences
  }

  /// Two states as a person reads them.
  private struct Pair: Equatable {
    let phrases: [String?]
    let rules: [RuleID?]

    init(_ first: Standing?, _ second: Standing?) {
      phrases = [first?.phrase, second?.phrase]
      rules = [first?.rule, second?.rule]
    }
  }

  private static func isSame(_ first: Standing?, _ second: Standing?) -> Bool {
    guard let first else { return second == nil }
    return first.isLike(second)
  }
}
