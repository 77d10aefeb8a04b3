// SPDX-License-Identifier: MIT

/// What was asked of the hardware and what it gives, value by value.
public struct HardwareStatus: Codable, Sendable, Hashable {
  /// The sample rate, in Hz.
  public var sampleRate: HardwareValue
  /// The I/O buffer's duration, in seconds.
  public var ioBufferDuration: HardwareValue
  /// The I/O buffer's length, in frames.
  public var ioBufferFrames: HardwareValue
  /// From the input to the host, in seconds.
  public var inputLatency: HardwareValue
  /// From the host to the output, in seconds.
  public var outputLatency: HardwareValue
  /// The input channels.
  public var inputChannels: HardwareValue
  /// The output channels.
  public var outputChannels: HardwareValue

  /// Makes the value from its parts.
  public init(
    sampleRate: HardwareValue,
    ioBufferDuration: HardwareValue,
    ioBufferFrames: HardwareValue,
    inputLatency: HardwareValue,
    outputLatency: HardwareValue,
    inputChannels: HardwareValue,
    outputChannels: HardwareValue,
  ) {
    self.sampleRate = sampleRate
    self.ioBufferDuration = ioBufferDuration
    self.ioBufferFrames = ioBufferFrames
    self.inputLatency = inputLatency
    self.outputLatency = outputLatency
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
  }
}

/// One hardware value: preferred, actual, and why they differ.
public struct HardwareValue: Codable, Sendable, Hashable {
  /// What was asked for, `null` when nothing was.
  @OrNull public var preferred: Double?
  /// What JACK says, `null` while there is no server.
  @OrNull public var actual: Double?
  /// Why the two differ, `null` when they agree or nothing was asked.
  @OrNull public var reason: String?
  /// The unit of both: `Hz`, `s`, `frames` or `channels`.
  public var unit: String

  /// Makes the value from its parts.
  public init(preferred: Double?, actual: Double?, reason: String?, unit: String) {
    self.preferred = preferred
    self.actual = actual
    self.reason = reason
    self.unit = unit
  }
}
