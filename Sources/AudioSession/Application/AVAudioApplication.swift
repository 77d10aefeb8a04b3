// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation

/// What an app may do with microphones, and whether it is muted.
open class AVAudioApplication: NSObject, @unchecked Sendable {
  /// This app.
  /// [any-thread]
  public class var shared: AVAudioApplication { only }

  private static let only = AVAudioApplication()

  private override init() {}

  /// Whether the app may record (PRM-1).
  public enum recordPermission: UInt, Sendable {
    /// Nobody was asked yet ('undt').
    case undetermined = 0x756E_6474
    /// The user said no ('deny').
    case denied = 0x6465_6E79
    /// The user said yes ('grnt').
    case granted = 0x6772_6E74
  }

  /// Whether the app may add audio to other apps' microphones; never on JACK.
  public enum MicrophoneInjectionPermission: UInt, Sendable {
    /// There is no such service here ('srds').
    case serviceDisabled = 0x7372_6473
    /// Nobody was asked yet ('undt').
    case undetermined = 0x756E_6474
    /// The user said no ('deny').
    case denied = 0x6465_6E79
    /// The user said yes ('grnt').
    case granted = 0x6772_6E74
  }

  /// Whether the app may record; without a yes it gets silence (PRM-1).
  public var recordPermission: recordPermission {
    switch SessionController.shared.current.detail?.permission {
    case "granted": .granted
    case "denied": .denied
    default: .undetermined
    }
  }

  /// Asks whether the app may record; answered at once where the user has decided (PRM-1).
  ///
  /// - Parameter response: Called once, on any thread; with false where no host runs.
  /// [any-thread]
  public class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {
    Thread.detachNewThread { response(SessionController.shared.requestPermission()) }
  }

  /// Asks whether the app may record; waits for the user (PRM-1).
  /// [any-thread]
  public class func requestRecordPermission() async -> Bool {
    await withCheckedContinuation { continuation in
      requestRecordPermission { continuation.resume(returning: $0) }
    }
  }

  /// Whether the samples of all inputs of the app are silence.
  public var isInputMuted: Bool {
    SessionController.shared.current.detail?.inputMuted ?? false
  }

  /// Makes the samples of all inputs of the app silence, or lets them through again.
  ///
  /// - Throws: `mediaServicesFailed` where no host runs.
  /// [control-thread]
  public func setInputMuted(_ isMuted: Bool) throws {
    try SessionController.shared.adjust { $0.inputMuted = isMuted }
  }

  /// Called with each wish of the user to mute; only macOS has such buttons, so never here.
  public func setInputMuteStateChangeHandler(
    _ handler: (@Sendable (Bool) -> Bool)?
  ) throws {}

  /// Posted when the input is muted or unmuted; `muteStateKey` says which.
  public class var inputMuteStateChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioApplicationInputMuteStateChangeNotification")
  }

  /// The key of `inputMuteStateChangeNotification`: an `NSNumber`, true when muted.
  public class var muteStateKey: String { "AVAudioApplicationMuteStateKey" }

  /// Always `serviceDisabled`.
  public var microphoneInjectionPermission: MicrophoneInjectionPermission { .serviceDisabled }

  /// Answers `serviceDisabled` at once.
  public class func requestMicrophoneInjectionPermission(
    completionHandler response: @escaping @Sendable (MicrophoneInjectionPermission) -> Void
  ) {
    response(.serviceDisabled)
  }

  /// Answers `serviceDisabled` at once.
  public class func requestMicrophoneInjectionPermission() async -> MicrophoneInjectionPermission {
    .serviceDisabled
  }
}
