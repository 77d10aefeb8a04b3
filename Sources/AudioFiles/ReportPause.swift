// SPDX-License-Identifier: MIT

/// The growing pauses between attempts or reports of a fault that lasts: 1 s, 2 s … 60 s.
///
/// Pure value: [any-thread].
struct ReportPause {
  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(60)

  private var pause = Self.first
  private var due: ContinuousClock.Instant?

  /// Whether an attempt or report is due; it begins the next pause.
  ///
  /// After twice the longest pause without a call that was due the pauses begin anew.
  mutating func takeTurn(now: ContinuousClock.Instant = .now) -> Bool {
    if let due {
      guard now >= due else { return false }
      if now > due + Self.longest * 2 { pause = Self.first }
    }
    due = now + pause
    pause = min(pause * 2, Self.longest)
    return true
  }

  /// Begins anew, because the fault is gone.
  mutating func reset() { self = Self() }
}
