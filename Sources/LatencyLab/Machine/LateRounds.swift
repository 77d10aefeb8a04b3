// SPDX-License-Identifier: MIT

import CRealtime

/// Marks the rounds of a measurement in which the machine was late.
///
/// Their readings count like the others. A round is late where the server had an xrun, or where other virtual machines took more than 2 % of the processors
/// (the kernel's "steal"). Belongs to the control thread.
struct LateRounds {
  /// The rounds that were watched.
  private(set) var rounds = 0
  /// The late ones of these.
  private(set) var late = 0
  /// The largest share of the processors that other virtual machines took in a round, 0…1.
  private(set) var largestStolenShare = 0.0
  private var load = MachineLoad()
  private var xruns: UInt64 = 0

  /// Begins a round.
  ///
  /// - Parameter xruns: The server's xruns so far.
  mutating func begin(xruns: UInt64) {
    self.xruns = xruns
    _ = load.read(atNanoseconds: realtime_now_nanoseconds())
  }

  /// Ends a round.
  ///
  /// - Parameter xruns: The server's xruns so far.
  mutating func end(xruns: UInt64) {
    let stolen = load.read(atNanoseconds: realtime_now_nanoseconds())?.stolenShare ?? 0
    rounds += 1
    largestStolenShare = max(largestStolenShare, stolen)
    if xruns != self.xruns || stolen > Self.mostStolenShare { late += 1 }
  }

  private static let mostStolenShare = 0.02
}

extension BenchRecord {
  /// Tells in how many rounds the machine was late.
  ///
  /// - Parameters:
  ///   - name: The beginning of the metric's name.
  ///   - late: The marked rounds.
  mutating func tell(_ name: String, _ late: LateRounds) {
    metrics["\(name).lateRounds.count"] = Double(late.late)
    guard late.late > 0 else { return }
    notes.append(
      "the machine was late in \(late.late) of \(late.rounds) rounds: xruns of the server, or up to "
        + "\(ReportColumn.text(late.largestStolenShare * 100, decimals: 1)) % taken by other machines"
    )
  }
}
