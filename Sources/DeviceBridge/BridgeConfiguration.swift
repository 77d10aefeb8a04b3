// SPDX-License-Identifier: MIT

/// The direction in which a bridge carries audio.
public enum BridgeDirection: String, BitwiseCopyable, Sendable, Codable, CaseIterable {
  /// From JACK to the device.
  case playback
  /// From the device to JACK.
  case capture

  /// Whether it goes from JACK to the device.
  var isPlayback: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .playback: true
      case .capture: false
      }
    }
  }
}

/// The settings of a bridge.
///
/// A plain value: [any-thread].
public struct BridgeConfiguration: Sendable {
  /// The ALSA device, such as `hw:1`.
  public var deviceName: String
  /// The direction of the audio.
  public var direction: BridgeDirection
  /// Channels of the device, and ports: 1 to 64.
  public var channels = 2
  /// The device's sample rate in Hz; 0 takes JACK's rate, or the device's nearest one.
  public var deviceRateHz = 0
  /// The device's period in frames; 0 takes JACK's.
  public var devicePeriodFrames = 0
  /// Periods in the device's buffer: 2 to 8.
  public var devicePeriods = 3
  /// The JACK client's name.
  public var clientName = "bridge"
  /// The process whose JACK clients alone hear captured audio.
  ///
  /// Nil lets everybody hear it. Without effect for playback.
  public var listeningProcess: Int32?
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
  ///   - direction: The direction of the audio.
  public init(deviceName: String, direction: BridgeDirection) {
    self.deviceName = deviceName
    self.direction = direction
    // Towards the device its own buffer makes up for late wake-ups; JACK cannot wait.
    slackSeconds = direction == .playback ? 0 : 1e-3
  }
}
