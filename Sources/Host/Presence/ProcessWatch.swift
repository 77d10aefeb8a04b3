// SPDX-License-Identifier: MIT

/// Detects that JACK has stopped calling a client of the host while its server runs on.
///
/// libjack 1.9 can put a client to sleep for ever. All clients of a process share one table of
/// semaphores. The semaphore of a program that closes just as the host opens can stay in the table,
/// under the number that the host's next client gets. Opening all clients anew empties the table.
///
/// Pure value: [any-thread].
struct ProcessWatch: Sendable {
  /// The number of server periods without a callback that count as a stall.
  static let limitPeriods = 16
  /// The shortest stall, in nanoseconds; a busy machine delays a client for less.
  static let limitNanoseconds: UInt64 = 400_000_000

  private var cycles: [UInt64] = []
  private var frame: UInt32 = 0
  private var sinceNanoseconds: UInt64 = 0

  /// Takes in the present counts of callbacks.
  ///
  /// - Parameters:
  ///   - cycles: The callbacks of each client since its activation.
  ///   - frame: The server's frame time at the start of its cycle; wraps at 2³².
  ///   - periodFrames: The server's period.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  /// - Returns: Whether the server has stopped calling one of the clients.
  mutating func isStalled(
    cycles: [UInt64],
    frame: UInt32,
    periodFrames: Int,
    nowNanoseconds: UInt64,
  ) -> Bool {
    let allAdvance = cycles.count != self.cycles.count || zip(cycles, self.cycles).allSatisfy(!=)
    guard !allAdvance else {
      self.cycles = cycles
      self.frame = frame
      sinceNanoseconds = nowNanoseconds
      return false
    }
    return Int(frame &- self.frame) >= Self.limitPeriods * max(1, periodFrames)
      && nowNanoseconds &- sinceNanoseconds >= Self.limitNanoseconds
  }
}
