// SPDX-License-Identifier: MIT

/// Detects that a server has stopped running cycles: its process is stopped, or waits for something.
///
/// ``ProcessWatch`` detects the other case: the server runs on without the host.
///
/// Pure value: [any-thread].
struct CycleWatch: Sendable {
  /// The shortest standstill, in nanoseconds; a busy machine is late for less.
  static let limitNanoseconds: UInt64 = 2_000_000_000
  /// The shortest standstill in periods: the longest ones take a second.
  static let limitPeriods = 4.0

  /// A change that a person is told of.
  enum Change: Sendable, Equatable {
    /// The server runs no cycles.
    case stands
    /// The server runs cycles again, after so long.
    case runs(afterNanoseconds: UInt64)
  }

  /// Whether the server stands.
  private(set) var isStanding = false

  private var cycles: UInt64?
  private var sinceNanoseconds: UInt64 = 0

  /// Takes in the present count of cycles.
  ///
  /// - Parameters:
  ///   - cycles: The callbacks of the host on this server.
  ///   - periodSeconds: The server's period.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  /// - Returns: The change; nil without one.
  mutating func note(
    cycles: UInt64,
    periodSeconds: Double,
    nowNanoseconds: UInt64,
  ) -> Change? {
    guard cycles == self.cycles else {
      defer { sinceNanoseconds = nowNanoseconds }
      self.cycles = cycles
      guard isStanding else { return nil }
      isStanding = false
      return .runs(afterNanoseconds: nowNanoseconds &- sinceNanoseconds)
    }
    let limit = max(Self.limitNanoseconds, UInt64(Self.limitPeriods * periodSeconds * 1e9))
    guard !isStanding, nowNanoseconds &- sinceNanoseconds >= limit else { return nil }
    isStanding = true
    return .stands
  }
}
