// SPDX-License-Identifier: MIT

import ControlProtocol

/// The connections that want meters at one interval: they get the same line at the same time.
struct MetersGroup {
  /// The connections.
  var members: Set<ConnectionID> = []
  private let intervalNanoseconds: UInt64
  private var dueNanoseconds: UInt64 = 0
  private var accumulated = MetersAccumulator()

  /// Makes a group without members.
  init(intervalMilliseconds: Int) {
    intervalNanoseconds = UInt64(intervalMilliseconds) * 1_000_000
  }

  /// Adds levels; gives the levels since the last time when it is time to send.
  ///
  /// Half of the shortest interval is allowed for jitter, and an interval that was sent a little
  /// early makes the next one longer, so that the rate on average is what was asked.
  mutating func add(_ meters: Meters, nowNanoseconds: UInt64) -> Meters? {
    accumulated.add(meters)
    guard nowNanoseconds + 10_000_000 >= dueNanoseconds else { return nil }
    dueNanoseconds += intervalNanoseconds
    if dueNanoseconds < nowNanoseconds { dueNanoseconds = nowNanoseconds + intervalNanoseconds }
    return accumulated.take()
  }
}
