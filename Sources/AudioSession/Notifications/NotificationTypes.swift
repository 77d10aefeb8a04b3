// SPDX-License-Identifier: MIT

extension AVAudioSession {
  /// Whether an interruption begins or ends.
  @available(iOS, deprecated: 27, message: "use the life-cycle notifications")
  public enum InterruptionType: UInt, Sendable {
    /// It is over.
    case ended = 0
    /// The audio is silent and the session inactive.
    case began = 1
  }

  /// The advice that comes with the end of an interruption.
  ///
  /// Pure value: [any-thread].
  @available(iOS, deprecated: 27, message: "use the life-cycle notifications")
  public struct InterruptionOptions: OptionSet, Hashable, Sendable {
    /// The SDK's bits.
    public let rawValue: UInt

    /// Makes a set from the SDK's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The app should resume playing.
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  /// The reason of an interruption.
  public enum InterruptionReason: UInt, Sendable {
    /// Another session or a call.
    case `default` = 0
    /// The app was suspended in the background.
    @available(iOS, deprecated: 16, message: "not reported any more")
    case appWasSuspended = 1
    /// The built-in microphone was muted in hardware.
    case builtInMicMuted = 2
    /// A scene went to the background; never on JACK.
    case sceneWasBackgrounded = 3
    /// The route was disconnected, and the session prefers to be interrupted then.
    case routeDisconnected = 4
    /// The device was locked; never on JACK.
    case deviceUnauthenticated = 5
  }

  /// The reason of a route change (RTE-2).
  public enum RouteChangeReason: UInt, Sendable {
    /// Unknown.
    case unknown = 0
    /// A device was connected.
    case newDeviceAvailable = 1
    /// The device in use was disconnected: players pause.
    case oldDeviceUnavailable = 2
    /// The category, mode or options changed, or the session became active.
    case categoryChange = 3
    /// The output was overridden, or the override ended.
    case `override` = 4
    /// The machine woke up.
    case wakeFromSleep = 6
    /// All connected routes are unfit for the category.
    case noSuitableRouteForCategory = 7
    /// The data sources or channels of the same ports changed.
    case routeConfigurationChange = 8
  }

  /// Whether another app's primary audio begins or ends (ACT-7).
  public enum SilenceSecondaryAudioHintType: UInt, Sendable {
    /// It ends: secondary audio may play again.
    case end = 0
    /// It begins: silence secondary audio.
    case begin = 1
  }
}
