// SPDX-License-Identifier: MIT

import ControlProtocol

/// Keeps a server in trouble from flooding the screen: one line in five seconds, with the count.
final class XrunLines {
  private static let pauseNanoseconds: UInt64 = 5_000_000_000

  private var lastNanoseconds: UInt64?
  private var unsaid = 0

  /// The line for an xrun, or nil while the last line is too fresh.
  func line(for event: ControlEvent) -> String? {
    let now = event.time.monotonicNanoseconds
    if let lastNanoseconds, now - lastNanoseconds < Self.pauseNanoseconds {
      unsaid += 1
      return nil
    }
    let others = unsaid > 0 ? " (and \(unsaid) more since the last line)" : ""
    lastNanoseconds = now
    unsaid = 0
    return "\(event.kind.rawValue): \(event.message)\(others)"
  }
}
