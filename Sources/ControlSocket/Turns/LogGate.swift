// SPDX-License-Identifier: MIT

/// Lets the first line of a kind into the log, then at most one a second.
///
/// Pure value: [any-thread].
struct LogGate {
  private static let intervalNanoseconds: UInt64 = 1_000_000_000
  private var openNanoseconds: UInt64 = 0
  private var count = 0

  /// Counts a line; returns the number of lines that one in the log now stands for, or nil for none in the log.
  mutating func pass(nowNanoseconds: UInt64) -> Int? {
    count += 1
    guard nowNanoseconds >= openNanoseconds else { return nil }
    openNanoseconds = nowNanoseconds + Self.intervalNanoseconds
    defer { count = 0 }
    return count
  }
}
