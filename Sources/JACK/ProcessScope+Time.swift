// SPDX-License-Identifier: MIT

internal import CJACK

extension ProcessScope {
  /// When this cycle began and when the next will. [audio-thread & active]
  public var cycleTimes: CycleTimes {
    @_noLocks @_noAllocation get {
      var frame: UInt32 = 0
      var start: UInt64 = 0
      var next: UInt64 = 0
      var period: Float = 0
      _ = unsafe jack_get_cycle_times(client, &frame, &start, &next, &period)
      return CycleTimes(
        frame: frame,
        startMicroseconds: start,
        nextMicroseconds: next,
        periodMicroseconds: period,
      )
    }
  }

  /// The frame time of the first frame of this cycle; wraps at 2³². [audio-thread & active]
  public var frameTime: UInt32 {
    @_noLocks @_noAllocation get { unsafe jack_last_frame_time(client) }
  }

  /// Frames of real time that have passed since this cycle began. [audio-thread & active]
  public var framesSinceCycleStart: UInt32 {
    @_noLocks @_noAllocation get { unsafe jack_frames_since_cycle_start(client) }
  }

  /// JACK's clock (`jack_get_time`; with jackd2 not CLOCK_MONOTONIC) now. [audio-thread & active]
  public var nowMicroseconds: UInt64 {
    @_noLocks @_noAllocation get { jack_get_time() }
  }

  /// Where the transport is at the first frame of this cycle. [audio-thread & active]
  public var transport: Transport {
    @_noLocks @_noAllocation get {
      var position = cjack_position()
      let state = unsafe cjack_transport_query(client, &position)
      return Transport(state: TransportState(state), position: TransportPosition(position))
    }
  }
}
