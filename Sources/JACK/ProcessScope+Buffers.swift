// SPDX-License-Identifier: MIT

internal import CJACK

extension ProcessScope {
  /// The samples that came in at `port` in this cycle.
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

  /// Where the samples go that leave by `port` in this cycle: all of them must be written.
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

  /// The events that came in at `port` in this cycle, in order of their frames.
  /// [audio-thread & active]
  @_noLocks @_noAllocation
  public func events(of port: MIDIInputPort) -> MIDIInputEvents {
    unsafe MIDIInputEvents(buffer: buffer(of: port.untyped))
  }

  /// A writer, on an emptied buffer, for the events that leave by `port` in this cycle.
  ///
  /// Must be called in every cycle, even when there is nothing to write: the buffer holds old
  /// events otherwise. [audio-thread & active]
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
