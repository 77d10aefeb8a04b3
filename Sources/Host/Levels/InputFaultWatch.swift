// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Mixing

/// The samples of strips, of routes' effects and of captures that were no sound, and the reports about them.
///
/// Pure value: [any-thread].
struct InputFaultWatch: Sendable {
  /// The shortest time between two reports about one place.
  private static let pauseNanoseconds: UInt64 = 10_000_000_000
  /// The time for which `why` names a fault.
  private static let recentNanoseconds: UInt64 = 60_000_000_000

  private struct Entry {
    /// The engine's counts at the last look, and at the last report.
    var seen = InputFaults()
    var reported = InputFaults()
    var seenNanoseconds: UInt64 = 0
    var reportedNanoseconds: UInt64?
  }

  private var entries: [FaultPlace: Entry] = [:]

  /// Takes in the engine's counts of all places with faults.
  ///
  /// - Parameters:
  ///   - counts: Since each place was made. Smaller counts than before are those of a new engine.
  ///   - now: The time on the host's clock.
  /// - Returns: The places to report now, with the faults since their last report.
  mutating func note(
    _ counts: [FaultPlace: InputFaults],
    nowNanoseconds now: UInt64,
  ) -> [(place: FaultPlace, faults: InputFaults)] {
    var reports: [(place: FaultPlace, faults: InputFaults)] = []
    entries = entries.filter { counts[$0.key] != nil }
    for (place, count) in counts.sorted(by: { $0.key.name < $1.key.name }) {
      var entry = entries[place] ?? Entry()
      if count.total < entry.seen.total { entry.reported = InputFaults() }
      if count != entry.seen { entry.seenNanoseconds = now }
      entry.seen = count
      let isRecent = entry.reportedNanoseconds.map { now &- $0 < Self.pauseNanoseconds } ?? false
      if count != entry.reported, !isRecent {
        reports.append((place, count - entry.reported))
        entry.reported = count
        entry.reportedNanoseconds = now
      }
      entries[place] = entry
    }
    return reports
  }

  /// The counts of a strip for `status`; nil without faults.
  func status(ofStrip strip: String) -> InputFaultStatus? {
    entries[.strip(strip)].map {
      InputFaultStatus(
        silencedSamples: $0.seen.silencedSamples,
        clampedSamples: $0.seen.clampedSamples,
        lastMonotonicNanoseconds: $0.seenNanoseconds,
      )
    }
  }

  /// The recent faults of some strips in a sentence; nil without any in the last minute.
  func sentence(ofStrips strips: [String], nowNanoseconds now: UInt64) -> String? {
    let recent = strips.compactMap { entries[.strip($0)] }
      .filter { now &- $0.seenNanoseconds < Self.recentNanoseconds }
    guard !recent.isEmpty else { return nil }
    let faults = recent.reduce(InputFaults()) { $0 + $1.seen }
    return "Its program or an effect sends samples that are no sound: \(faults.words)."
  }
}

extension InputFaults {
  /// All samples that were changed.
  fileprivate var total: UInt64 { silencedSamples &+ clampedSamples }

  /// The faults after others.
  fileprivate static func - (left: Self, right: Self) -> Self {
    Self(
      silencedSamples: left.silencedSamples &- right.silencedSamples,
      clampedSamples: left.clampedSamples &- right.clampedSamples,
    )
  }

  /// `12 were silenced, 3 were clamped to +24 dB`.
  var words: String {
    [
      silencedSamples > 0 ? "\(silencedSamples) were silenced" : nil,
      clampedSamples > 0 ? "\(clampedSamples) were clamped to +24 dB" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }
}
