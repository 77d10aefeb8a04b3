// SPDX-License-Identifier: MIT

/// Notices that JACK calls a client of the host no more while its server runs on.
///
/// libjack 1.9 can put a client to sleep for ever: all clients of a process share one table of semaphores,
/// and the one of a program that closes just as the host opens may stay in it, under the number that the
/// host's next client gets. Opening all clients anew empties the table.
struct ProcessWatch: Sendable {
  /// How many periods of the server without a call count as a stall.
  static let limitPeriods = 16
  /// How long a stall lasts at least, in nanoseconds; a machine under load holds a client up for less.
  static let limitNanoseconds: UInt64 = 400_000_000

  private var cycles: [UInt64] = []
  private var frame: UInt32 = 0
  private var sinceNanoseconds: UInt64 = 0

  /// Takes in what has been counted.
  ///
  /// - Parameters:
  ///   - cycles: The callbacks of each client since its activation.
  ///   - frame: The server's frame time at the start of its cycle; wraps at 2³².
  ///   - periodFrames: The server's period.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  /// - Returns: Whether one of the clients is not called any more.
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
