// SPDX-License-Identifier: MIT

internal import CRealtime
internal import ControlProtocol
internal import Glibc

/// The clocks that stamp events. [any-thread]
enum HostClock {
  /// CLOCK_MONOTONIC in nanoseconds.
  static func nowNanoseconds() -> UInt64 { realtime_now_nanoseconds() }

  /// The present moment on every clock.
  ///
  /// - Parameter frame: The JACK frame, if one is known.
  /// - Returns: The moment.
  static func stamp(frame: UInt64?) -> EventTime {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return EventTime(
      frame: frame,
      monotonicNanoseconds: nowNanoseconds(),
      wallSeconds: Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9,
    )
  }
}
