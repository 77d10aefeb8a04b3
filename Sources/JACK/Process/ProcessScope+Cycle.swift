// SPDX-License-Identifier: MIT

internal import CJACK

extension ProcessScope {
  /// Samples of the input `port` in this cycle.
  ///
  /// Another client's output may share this memory: read only. Empty when the port does not exist
  /// any more. Valid until the callback returns.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func samples(of port: AudioInputPort) -> UnsafeBufferPointer<Float> {
    guard let buffer = unsafe buffer(of: port.untyped) else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    let samples = unsafe UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
    return unsafe UnsafeBufferPointer(start: samples, count: Int(frames))
  }

  /// Samples of the output `port` for this cycle: all of them must be written.
  ///
  /// Empty when the port does not exist any more. Valid until the callback returns.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func samples(of port: AudioOutputPort) -> UnsafeMutableBufferPointer<Float> {
    guard let buffer = unsafe buffer(of: port.untyped) else {
      return unsafe UnsafeMutableBufferPointer(start: nil, count: 0)
    }
    let samples = unsafe buffer.assumingMemoryBound(to: Float.self)
    return unsafe UnsafeMutableBufferPointer(start: samples, count: Int(frames))
  }

  /// Collects the samples of some input ports in this cycle: as ``samples(of:)``, without a call for each of them.
  ///
  /// - Parameters:
  ///   - ports: The ports; nil where there is none.
  ///   - count: Their number.
  ///   - buffers: Room for as many pointers; nil where the port is, or does not exist any more.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func collect(
    from ports: UnsafePointer<AudioInputPort?>,
    count: Int,
    into buffers: UnsafeMutablePointer<UnsafePointer<Float>?>,
  ) {
    for index in 0..<count {
      unsafe buffers[index] = nil
      guard let port = unsafe ports[index], let buffer = unsafe buffer(of: port.untyped) else {
        continue
      }
      unsafe buffers[index] = UnsafePointer(buffer.assumingMemoryBound(to: Float.self))
    }
  }

  /// Collects the samples of some output ports for this cycle: as ``samples(of:)``, without a call for each of them.
  ///
  /// - Parameters:
  ///   - ports: The ports.
  ///   - count: Their number.
  ///   - buffers: Room for as many pointers; nil where the port does not exist any more.
  ///
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func collect(
    from ports: UnsafePointer<AudioOutputPort>,
    count: Int,
    into buffers: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>,
  ) {
    for index in 0..<count {
      let buffer = unsafe buffer(of: ports[index].untyped)
      unsafe buffers[index] = buffer?.assumingMemoryBound(to: Float.self)
    }
  }

  /// Events of the input `port` in this cycle, in order of their frames.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func events(of port: MIDIInputPort) -> MIDIInputEvents {
    unsafe MIDIInputEvents(buffer: buffer(of: port.untyped))
  }

  /// A writer, on an emptied buffer, for the events that leave by `port` in this cycle.
  ///
  /// Must be called in every cycle, even without events to write, because the buffer still holds old
  /// events. [audio-thread & active]
  @_noLocks @_noAllocation
  public func events(of port: MIDIOutputPort) -> MIDIOutputEvents {
    unsafe MIDIOutputEvents(clearing: buffer(of: port.untyped), frames: frames)
  }

  @_noLocks @_noAllocation
  private func buffer(of port: AnyClientPort) -> UnsafeMutableRawPointer? {
    guard let handle = unsafe port.handle else { return nil }
    return unsafe jack_port_get_buffer(handle, frames)
  }
}

extension ProcessScope {
  /// Start of this cycle and predicted start of the next one. [audio-thread & active]
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

  /// State and position of the transport at the first frame of this cycle. [audio-thread & active]
  public var transport: Transport {
    @_noLocks @_noAllocation get {
      var position = cjack_position()
      let state = unsafe cjack_transport_query(client, &position)
      return Transport(state: TransportState(state), position: TransportPosition(position))
    }
  }
}

/// Start of the current cycle on JACK's two clocks, and predicted start of the next one.
///
/// Pure value: [any-thread].
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
