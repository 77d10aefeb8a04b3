// SPDX-License-Identifier: MIT

internal import CRealtime
internal import Synchronization

extension ProcessScope {
  /// The longest wait in a cycle of freewheeling: jackd2 gives all clients together 10 s (FREEWHEEL_DRIVER_TIMEOUT).
  private static var patienceNanoseconds: UInt64 { @_noLocks @_noAllocation get { 4_000_000_000 } }

  /// Whether JACK freewheels: a cycle takes as long as its clients need. [audio-thread & active]
  public var isFreewheeling: Bool {
    @_noLocks @_noAllocation get { unsafe context.pointee.isFreewheeling.load(ordering: .relaxed) }
  }

  /// The time on CLOCK_MONOTONIC until which a callback may wait for disks and other clients while JACK freewheels; 0 in
  /// real time.
  ///
  /// [audio-thread & active]
  public var freewheelDeadlineNanoseconds: UInt64 {
    @_noLocks @_noAllocation get {
      isFreewheeling ? realtime_now_nanoseconds() &+ Self.patienceNanoseconds : 0
    }
  }
}
