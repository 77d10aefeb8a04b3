// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions
internal import SystemSupport

/// The app's permission to record, and the mute of its inputs. [any-thread]
open class AVAudioApplication: NSObject, @unchecked Sendable {
  /// This app.
  /// [any-thread]
  public class var shared: AVAudioApplication { only }

  private static let only = AVAudioApplication()

  private override init() {}

  /// Whether the app may record (PRM-1).
  public enum recordPermission: UInt, Sendable {
    /// The user was not asked yet ('undt').
    case undetermined = 0x756E_6474
    /// The user said no ('deny').
    case denied = 0x6465_6E79
    /// The user said yes ('grnt').
    case granted = 0x6772_6E74
  }

  /// Whether the app may add audio to other apps' microphones; never on JACK.
  public enum MicrophoneInjectionPermission: UInt, Sendable {
    /// There is no such service on JACK ('srds').
    case serviceDisabled = 0x7372_6473
    /// The user was not asked yet ('undt').
    case undetermined = 0x756E_6474
    /// The user said no ('deny').
    case denied = 0x6465_6E79
    /// The user said yes ('grnt').
    case granted = 0x6772_6E74
  }

  /// Whether the app may record; without `granted` it records silence (PRM-1).
  public var recordPermission: recordPermission {
    switch SessionController.shared.current.detail?.permission {
    case .granted: .granted
    case .denied: .denied
    case .undetermined, nil: .undetermined
    }
  }

  /// Asks whether the app may record; the answer is immediate if the user has decided (PRM-1).
  ///
  /// - Parameter response: Called once, on any thread; with false if no host is running or there is no thread.
  /// [any-thread]
  public class func requestRecordPermission(
    completionHandler response: @escaping @Sendable (Bool) -> Void
  ) {
    let hasThread = BackgroundThread.start(name: "av-permission") {
      response(SessionController.shared.requestPermission())
    }
    if !hasThread { response(false) }
  }

  /// Asks whether the app may record; waits for the user's answer (PRM-1).
  /// [any-thread]
  public class func requestRecordPermission() async -> Bool {
    await withCheckedContinuation { continuation in
      requestRecordPermission { continuation.resume(returning: $0) }
    }
  }

  /// Whether the app's inputs are muted.
  public var isInputMuted: Bool {
    SessionController.shared.current.detail?.inputMuted ?? false
  }

  /// Mutes or unmutes all inputs of the app: muted, it records silence.
  ///
  /// - Throws: `mediaServicesFailed` if no host is running.
  /// [control-thread]
  public func setInputMuted(_ isMuted: Bool) throws {
    try SessionController.shared.adjust { $0.inputMuted = isMuted }
  }

  /// Takes a handler that is never called: the buttons that ask to mute exist on macOS only.
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

extension SessionController {
  /// Asks for the permission to record, and waits for the user's answer.
  ///
  /// - Returns: Whether it is granted; false if no host is running, or if it ends meanwhile.
  func requestPermission() -> Bool {
    let answer = PermissionAnswer()
    participants.add(answer)
    guard (try? askPermission()) != nil else { return false }
    while true {
      switch state.withLockedValue({ $0.detail?.permission }) {
      case .granted: return true
      case .undetermined: answer.changed.wait()
      case .denied, nil: return false
      }
    }
  }
}

/// Wakes the thread that waits for the user's answer.
private final class PermissionAnswer: SessionParticipant {
  let changed = MonotonicSemaphore(value: 0)

  func session(did event: SessionEvent) {
    switch event {
    case .inputChanged, .mediaServicesLost: changed.signal()
    default: break
    }
  }
}
