// SPDX-License-Identifier: MIT

internal import CJACK

extension ClientConnection {
  /// JACK's clock (`jack_get_time`; with jackd2 not CLOCK_MONOTONIC) now. [any-thread]
  public static var nowMicroseconds: UInt64 { jack_get_time() }

  /// The estimated frame time now; wraps at 2³².
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var frameTime: UInt32 {
    get throws(JACKError) { try unsafe read("jack_frame_time", jack_frame_time) }
  }

  /// When the current cycle began and when the next will.
  ///
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread & active]
  public var cycleTimes: CycleTimes {
    get throws(JACKError) {
      let call = "jack_get_cycle_times"
      return try unsafe withClient(call, name) { client, _ throws(JACKError) in
        var frame: UInt32 = 0
        var start: UInt64 = 0
        var next: UInt64 = 0
        var period: Float = 0
        guard unsafe jack_get_cycle_times(client, &frame, &start, &next, &period) == 0 else {
          throw JACKError(.refused, call: call, subject: name, detail: "no cycle has run yet")
        }
        return CycleTimes(
          frame: frame,
          startMicroseconds: start,
          nextMicroseconds: next,
          periodMicroseconds: period,
        )
      }
    }
  }

  /// The moment of a frame time, in microseconds of JACK's clock.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func microseconds(atFrame frame: UInt32) throws(JACKError) -> UInt64 {
    try unsafe read("jack_frames_to_time") { unsafe jack_frames_to_time($0, frame) }
  }

  /// The frame time at a moment, in microseconds of JACK's clock.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func frame(atMicroseconds microseconds: UInt64) throws(JACKError) -> UInt32 {
    try unsafe read("jack_time_to_frames") { unsafe jack_time_to_frames($0, microseconds) }
  }
}
