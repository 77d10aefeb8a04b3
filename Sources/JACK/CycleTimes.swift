// SPDX-License-Identifier: MIT

/// When the current cycle began, on JACK's two clocks, and when the next one will.
public struct CycleTimes: BitwiseCopyable, Equatable, Sendable {
  /// The frame time at the start of the cycle; wraps at 2³².
  public let frame: UInt32
  /// The start of the cycle in microseconds of JACK's clock, filtered.
  public let startMicroseconds: UInt64
  /// The start of the next cycle, predicted.
  public let nextMicroseconds: UInt64
  /// The length of the period as the server's loop filter sees it.
  public let periodMicroseconds: Float

  @_noLocks @_noAllocation
  init(
    frame: UInt32,
    startMicroseconds: UInt64,
    nextMicroseconds: UInt64,
    periodMicroseconds: Float,
  ) {
    self.frame = frame
    self.startMicroseconds = startMicroseconds
    self.nextMicroseconds = nextMicroseconds
    self.periodMicroseconds = periodMicroseconds
  }
}
