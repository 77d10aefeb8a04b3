// SPDX-License-Identifier: MIT

/// What a bridge is to do.
public struct BridgeConfiguration: Sendable {
  /// The ALSA device, such as `hw:1`.
  public var deviceName: String
  /// Which way the audio goes.
  public var direction: BridgeDirection
  /// Channels of the device, and ports: 1 to 64.
  public var channels = 2
  /// The device's sample rate in Hz; 0 takes JACK's, or what is near it.
  public var deviceRateHz = 0
  /// The device's period in frames; 0 takes JACK's.
  public var devicePeriodFrames = 0
  /// Periods in the device's buffer: 2 to 8.
  public var devicePeriods = 3
  /// The JACK client's name.
  public var clientName = "bridge"
  /// The JACK server; nil takes the default one.
  public var server: String?
  /// Time added to the delay for wake-ups that are late.
  public var slackSeconds: Double
  /// Half the length of the resampler's filter in frames: 16 to 96.
  public var halfLengthFrames = 48
  /// The time between two status outputs.
  public var statusInterval = Duration.milliseconds(500)

  /// Makes a configuration with a delay of two periods, the filter, and 1 ms where it is needed.
  ///
  /// - Parameters:
  ///   - deviceName: The ALSA device.
  ///   - direction: Which way the audio goes.
  public init(deviceName: String, direction: BridgeDirection) {
    self.deviceName = deviceName
    self.direction = direction
    // Towards the device its own buffer makes up for late wake-ups; JACK cannot wait.
    slackSeconds = direction == .playback ? 0 : 1e-3
  }
}
