// SPDX-License-Identifier: MIT

internal import CJACK

extension ClientConnection {
  /// The server's sample rate.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var sampleRateHz: UInt32 {
    get throws(JACKError) { try unsafe read("jack_get_sample_rate", jack_get_sample_rate) }
  }

  /// The length of the server's period in frames.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var bufferFrames: UInt32 {
    get throws(JACKError) { try unsafe read("jack_get_buffer_size", jack_get_buffer_size) }
  }

  /// Whether the server schedules its threads as real-time threads.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var isRealtime: Bool {
    get throws(JACKError) {
      try unsafe read("jack_is_realtime") { unsafe jack_is_realtime($0) != 0 }
    }
  }

  /// The share of the period that all clients together need, 0…100, averaged.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var cpuLoadPercent: Float {
    get throws(JACKError) { try unsafe read("jack_cpu_load", jack_cpu_load) }
  }

  /// The latest start of a cycle since opening or the last reset.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public var maxDelayedMicroseconds: Float {
    get throws(JACKError) {
      try unsafe read("jack_get_max_delayed_usecs", jack_get_max_delayed_usecs)
    }
  }

  /// Starts ``maxDelayedMicroseconds`` anew.
  ///
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func resetMaxDelayed() throws(JACKError) {
    try unsafe read("jack_reset_max_delayed_usecs", jack_reset_max_delayed_usecs)
  }

  /// The number of notifications that were dropped because the program did not read them in time.
  /// [any-thread]
  public var lostNotifications: UInt64 { relay.lostCount }

  /// Changes the length of the server's period, for everybody.
  ///
  /// jackd has done it when this returns. PipeWire does it later, and takes the power of two below:
  /// wait for `bufferSizeChanged`.
  ///
  /// - Parameter frames: Any number that the driver can do, 1…8192; not only powers of two.
  /// - Throws: ``JACKError`` with `invalidValue`, `refused` (by the driver), `closed` or
  ///   `serverGone`.
  ///
  /// [control-thread]
  public func setBufferFrames(_ frames: UInt32) throws(JACKError) {
    let call = "jack_set_buffer_size"
    guard (1...8192).contains(frames) else {
      throw JACKError(
        .invalidValue,
        call: call,
        subject: "\(frames)",
        detail: "a period has 1 to 8192 frames",
      )
    }
    try unsafe withClient(call, "\(frames)") { client, _ throws(JACKError) in
      guard unsafe jack_set_buffer_size(client, frames) == 0 else {
        throw JACKError(
          .refused,
          call: call,
          subject: "\(frames)",
          detail: "the driver does not take this number of frames",
        )
      }
    }
  }

  /// Has a client know of freewheeling before its first cycle of that kind.
  ///
  /// The notification of the same comes when its reader gets to it.
  ///
  /// - Parameter handler: Called on JACK's thread with whether it begins; must not wait nor call JACK.
  ///
  /// [control-thread]
  public func setFreewheelHandler(_ handler: @escaping @Sendable (Bool) -> Void) {
    relay.setFreewheelHandler(handler)
  }

  /// Lets the server run as fast as it can, without hardware, or in real time again.
  ///
  /// - Throws: ``JACKError`` with `refused`, `closed` or `serverGone`.
  ///
  /// [control-thread]
  public func setFreewheel(_ isOn: Bool) throws(JACKError) {
    let call = "jack_set_freewheel"
    try unsafe withClient(call, isOn ? "on" : "off") { client, _ throws(JACKError) in
      guard unsafe jack_set_freewheel(client, isOn ? 1 : 0) == 0 else {
        throw JACKError(.refused, call: call, subject: isOn ? "on" : "off")
      }
    }
  }

  func read<Result: Sendable>(
    _ call: String,
    _ body: (OpaquePointer) -> Result,
  ) throws(JACKError) -> Result {
    try unsafe withClient(call, name) { client, _ throws(JACKError) in unsafe body(client) }
  }
}
