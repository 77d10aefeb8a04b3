// SPDX-License-Identifier: MIT

public import Sessions

/// The preferred and the actual hardware values.
///
/// Pure value: [any-thread].
public struct HardwareStatus: Codable, Sendable, Hashable {
  /// The sample rate, in Hz.
  public var sampleRate: Value
  /// The I/O buffer's duration, in seconds.
  public var ioBufferDuration: Value
  /// The I/O buffer's length, in frames.
  public var ioBufferFrames: Value
  /// From the input to the host, in seconds.
  public var inputLatency: Value
  /// From the host to the output, in seconds.
  public var outputLatency: Value
  /// The input channels.
  public var inputChannels: Value
  /// The output channels.
  public var outputChannels: Value

  /// Makes the value from its parts.
  public init(
    sampleRate: Value,
    ioBufferDuration: Value,
    ioBufferFrames: Value,
    inputLatency: Value,
    outputLatency: Value,
    inputChannels: Value,
    outputChannels: Value,
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

/// Pure value: [any-thread].
extension HardwareStatus {
  /// The units of hardware values.
  public enum Unit: String, WireNamed, CaseIterable {
    /// Frames per second.
    case hertz = "Hz"
    /// Seconds.
    case seconds = "s"
    /// Frames.
    case frames
    /// A number of channels, without a word for it.
    case channels = ""
  }

  /// One hardware value for people and scripts: preference, actual value, unit, and the reason for a difference in words.
  ///
  /// `HardwareReport.Value` of `Sessions` has the reason as a case, and always an actual value.
  public struct Value: Codable, Sendable, Hashable {
    /// The preference, `null` without one.
    @OrNull public var preferred: Double?
    /// The actual value from JACK, `null` without a server.
    @OrNull public var actual: Double?
    /// The reason for a difference, `null` if the two agree or without a preference.
    @OrNull public var reason: String?
    /// The unit of both.
    @NamedIfKnown public var unit: Unit?

    /// Makes the value from its parts.
    public init(preferred: Double?, actual: Double?, reason: String?, unit: Unit) {
      self.preferred = preferred
      self.actual = actual
      self.reason = reason
      _unit = NamedIfKnown(unit)
    }
  }
}

/// The actual values of the hardware as one session meets them (HW-3, HW-6): numbers for a program, not for people.
///
/// Pure value: [any-thread].
public struct SessionHardware: Codable, Sendable, Hashable {
  /// The name of the JACK server, `null` without one.
  @OrNull public var server: String?
  /// The sample rate.
  public var sampleRateHz: Double
  /// The length of one I/O buffer in frames.
  public var ioBufferFrames: Int
  /// The latency from the input route's device to the session, in seconds.
  public var inputLatencySeconds: Double
  /// The longest latency from the session to the output route's device, in seconds.
  public var outputLatencySeconds: Double
  /// The gain of the input, linear, 0 to 1, `null` where it cannot be set.
  @OrNull public var inputGain: Double?
  /// The volume of the output route, linear, 0 to 1 (VOL-1).
  public var outputVolume: Double
  /// The reason why the sample rate is not the preferred one, `null` if it is or without a preference.
  @OrNull public var sampleRateReason: String?
  /// The reason why the I/O buffer is not the preferred one, `null` if it is or without a preference.
  @OrNull public var ioBufferReason: String?

  /// Makes the value from its parts.
  public init(
    server: String?,
    sampleRateHz: Double,
    ioBufferFrames: Int,
    inputLatencySeconds: Double,
    outputLatencySeconds: Double,
    inputGain: Double?,
    outputVolume: Double,
    sampleRateReason: String?,
    ioBufferReason: String?,
  ) {
    self.server = server
    self.sampleRateHz = sampleRateHz
    self.ioBufferFrames = ioBufferFrames
    self.inputLatencySeconds = inputLatencySeconds
    self.outputLatencySeconds = outputLatencySeconds
    self.inputGain = inputGain
    self.outputVolume = outputVolume
    self.sampleRateReason = sampleRateReason
    self.ioBufferReason = ioBufferReason
  }
}
