// SPDX-License-Identifier: MIT

/// The hardware as one session meets it (HW-3, HW-6).
public struct SessionHardware: Codable, Sendable, Hashable {
  /// The name of the JACK server, `null` while there is none.
  @OrNull public var server: String?
  /// The sample rate.
  public var sampleRateHz: Double
  /// The length of one I/O buffer in frames.
  public var ioBufferFrames: Int
  /// The way from the input route's device to the session, in seconds.
  public var inputLatencySeconds: Double
  /// The way from the session to the output route's device at its longest, in seconds.
  public var outputLatencySeconds: Double
  /// The gain of the input, linear, 0 to 1, `null` where it cannot be set.
  @OrNull public var inputGain: Double?
  /// The volume of the output route, linear, 0 to 1 (VOL-1).
  public var outputVolume: Double
  /// Why the sample rate is not the preferred one, `null` when it is or when none was preferred.
  @OrNull public var sampleRateReason: String?
  /// Why the I/O buffer is not the preferred one, `null` when it is or when none was preferred.
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
