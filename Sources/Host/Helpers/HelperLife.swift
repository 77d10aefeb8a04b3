// SPDX-License-Identifier: MIT

/// Whether a helper that runs also lives: a process can be stopped, or hang.
///
/// Time counts only while the host itself looks: a machine that was suspended, or late, kills nobody.
struct HelperLife: Sendable {
  private static let lookNanoseconds: UInt64 = 500_000_000
  /// A process that was stopped for so long is killed: nothing of it is heard meanwhile.
  private static let stoppedNanoseconds: UInt64 = 2_000_000_000
  /// A bridge that has said nothing for so long is in doubt.
  private static let doubtNanoseconds: UInt64 = 3_000_000_000
  /// A bridge that has said nothing for so long is killed.
  ///
  /// Its threads for JACK and the card do not need the one that speaks, and that one may wait for JACK: 5 s for
  /// each client of the server that is stopped.
  private static let silentNanoseconds: UInt64 = 30_000_000_000

  /// Why it is being killed; nil while it is not.
  private(set) var killReason: String?
  private var lastLookNanoseconds: UInt64?
  private var stopped: UInt64 = 0
  private var silent: UInt64 = 0

  /// It has said something.
  mutating func spoke() { silent = 0 }

  /// What there is to say against it; nil while it seems to be well.
  var doubt: String? {
    if stopped > 0 { return "it is stopped" }
    guard silent >= Self.doubtNanoseconds else { return nil }
    return "it has said nothing for \(silent / 1_000_000_000) s"
  }

  /// Looks at it, every half second at most.
  ///
  /// - Parameters:
  ///   - nowNanoseconds: The present time.
  ///   - talks: Whether it is expected to say something.
  ///   - isStopped: Whether its process is stopped.
  /// - Returns: Whether it is to be killed now; once.
  mutating func isOver(nowNanoseconds: UInt64, talks: Bool, isStopped: () -> Bool) -> Bool {
    guard let last = lastLookNanoseconds else {
      lastLookNanoseconds = nowNanoseconds
      return false
    }
    guard nowNanoseconds >= last + Self.lookNanoseconds, killReason == nil else { return false }
    lastLookNanoseconds = nowNanoseconds
    let passed = min(nowNanoseconds - last, 2 * Self.lookNanoseconds)
    stopped = isStopped() ? stopped + passed : 0
    silent = talks ? silent + passed : 0
    if stopped >= Self.stoppedNanoseconds {
      killReason = "was stopped"
    } else if silent >= Self.silentNanoseconds {
      killReason = "has said nothing for \(silent / 1_000_000_000) s"
    }
    return killReason != nil
  }
}
