// SPDX-License-Identifier: MIT

/// One entry of a log as it is rehearsed: a time, an event, and its words.
///
/// Pure value: [any-thread].
public struct RehearsalEntry: Hashable, Sendable {
  /// The events of the tower that it stands for; none for one that changes nothing there.
  public let events: [TowerEvent]
  /// When, on the clock of the events, in nanoseconds.
  public let timeNanoseconds: UInt64
  /// The event in a few words; nil has the rehearsal find them.
  public let phrase: String?

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - events: The events of the tower that it stands for.
  ///   - timeNanoseconds: When, on the clock of the events, in nanoseconds.
  ///   - phrase: The event in a few words; nil has the rehearsal find them.
  public init(events: [TowerEvent], timeNanoseconds: UInt64, phrase: String? = nil) {
    self.events = events
    self.timeNanoseconds = timeNanoseconds
    self.phrase = phrase
  }
}

/// A log to rehearse: the state at its beginning, and its entries.
///
/// Pure value: [any-thread].
public struct RehearsalScript: Hashable, Sendable {
  /// The state before the first entry.
  public let start: TowerState
  /// The entries, oldest first.
  public let entries: [RehearsalEntry]

  /// Makes a script from entries.
  ///
  /// - Parameters:
  ///   - start: The state before the first entry.
  ///   - entries: The entries, oldest first.
  public init(start: TowerState, entries: [RehearsalEntry]) {
    self.start = start
    self.entries = entries
  }

  /// Makes a script from a recorded log.
  ///
  /// - Parameter log: The log.
  public init(_ log: EventLog) {
    self.init(
      start: log.start,
      entries: log.events.map { RehearsalEntry(events: [$0], timeNanoseconds: $0.timeNanoseconds) },
    )
  }
}

/// The effect of a policy on a log: who is heard when, and why.
///
/// Pure value: [any-thread].
public struct Rehearsal: Sendable {
  /// The changes by one entry of the log.
  public struct Moment: Sendable {
    /// The number of the entry, from 1.
    public let number: Int
    /// When, in nanoseconds after the first entry.
    public let offsetNanoseconds: UInt64
    /// The event in a few words.
    public let event: String
    /// The decisions of the tower.
    public let decisions: [Decision]
    /// The sessions that are heard otherwise than before.
    public let changes: [Change]
    /// How every session is heard afterwards, in order of their names.
    public let standings: [Standing]
  }

  /// A session that is heard otherwise than before.
  public struct Change: Hashable, Sendable {
    /// How it was heard; nil for one that has begun.
    public let before: Standing?
    /// How it is heard; nil for one that has ended.
    public let after: Standing?

    /// The name of the session.
    public var name: String { (after ?? before)?.name ?? "" }
  }

  /// The entries of the log, oldest first.
  public let moments: [Moment]

  /// Rehearses a policy.
  ///
  /// - Parameters:
  ///   - script: The log.
  ///   - policy: The policy.
  /// - Complexity: O(entries · sessions).
  public init(of script: RehearsalScript, with policy: RehearsedPolicy) {
    var rehearser = Rehearser(policy: policy, start: script.start)
    var standings = rehearser.standings
    var moments: [Moment] = []
    moments.reserveCapacity(script.entries.count)
    let first = script.entries.first?.timeNanoseconds ?? 0
    for (index, entry) in script.entries.enumerated() {
      let decisions = entry.events.flatMap { rehearser.take($0) }
      // A session that has ended keeps its name until the next one begins.
      let phrase = entry.events.first.map { $0.kind.phrase(rehearser.name) }
      // Most events change nothing; then the moments share one list.
      let found = rehearser.standings
      let present = found == standings ? standings : found
      moments.append(
        Moment(
          number: index + 1,
          offsetNanoseconds: entry.timeNanoseconds - min(first, entry.timeNanoseconds),
          event: entry.phrase ?? phrase ?? "nothing",
          decisions: decisions,
          changes: Self.changes(from: standings, to: present),
          standings: present,
        )
      )
      standings = present
    }
    self.moments = moments
  }

  /// The names of all sessions, in order of their first appearance.
  public var names: [String] {
    var seen: Set<String> = []
    return moments.flatMap { $0.changes.map(\.name) }.filter { seen.insert($0).inserted }
  }

  private static func changes(from old: [Standing], to new: [Standing]) -> [Change] {
    let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let after = Dictionary(new.map { ($0.name, $0) }) { first, _ in first }
    return Set(before.keys).union(after.keys).sorted().compactMap { name in
      let (old, new) = (before[name], after[name])
      if let new, new.isLike(old) { return nil }
      return Change(before: old, after: new)
    }
  }
}
