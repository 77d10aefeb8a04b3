// SPDX-License-Identifier: MIT

/// Counts a use against a rate with a burst.
///
/// The caller passes the time, in nanoseconds of any steady clock. The bucket may run into debt: an input that
/// costs more than the burst is allowed, and a wait pays for it afterwards.
///
/// Pure value: [any-thread].
struct TokenBucket {
  private let perSecond: Double
  private let burst: Double
  private var tokens: Double
  private var updatedNanoseconds: UInt64

  /// Makes a full bucket.
  init(perSecond: Double, burst: Double, nowNanoseconds: UInt64) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
    updatedNanoseconds = nowNanoseconds
  }

  /// Takes tokens if there are as many.
  mutating func takeIfPaid(_ cost: Double, nowNanoseconds: UInt64) -> Bool {
    _ = take(0, nowNanoseconds: nowNanoseconds)
    guard tokens >= cost else { return false }
    tokens -= cost
    return true
  }

  /// Takes tokens, and returns how long to wait before the next call; 0 for no wait.
  mutating func take(_ cost: Double, nowNanoseconds: UInt64) -> Int64 {
    let elapsed = nowNanoseconds > updatedNanoseconds ? nowNanoseconds - updatedNanoseconds : 0
    updatedNanoseconds = max(nowNanoseconds, updatedNanoseconds)
    tokens = min(burst, tokens + Double(elapsed) * 1e-9 * perSecond) - cost
    guard tokens < 0 else { return 0 }
    return Int64((-tokens / perSecond * 1e9).rounded(.up))
  }
}
