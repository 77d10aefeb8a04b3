// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
internal import Sessions

extension AVAudioSession {
  // MARK: - Others

  /// Whether another app plays primary audio; idle, mixing and silent apps do not count (ACT-7, ACT-10).
  public var isOtherAudioPlaying: Bool { state.detail?.otherAudioPlaying ?? false }

  /// Whether the app should silence its secondary audio, because another app plays primary audio (ACT-7).
  public var secondaryAudioShouldBeSilencedHint: Bool {
    state.detail?.secondaryAudioShouldBeSilenced ?? false
  }

  /// The volume of the output route, linear, 0 to 1; the user sets it at the host (VOL-1).
  public var outputVolume: Float { Float(state.detail?.hardware.outputVolume ?? 0) }

  /// The recommended length of a prompt: `short` while secondary audio should be silent, `normal` otherwise.
  public var promptStyle: PromptStyle { secondaryAudioShouldBeSilencedHint ? .short : .normal }

  /// Whether system sounds and haptics are allowed while recording.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    state.choices.allowsHapticsWhileRecording
  }

  /// Allows or forbids system sounds while recording; there are no haptics on Linux.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ isAllowed: Bool) throws {
    try controller.choose { $0.allowsHapticsWhileRecording = isAllowed }
  }

  // MARK: - Foreground

  /// Reports to the host that this app is in the foreground; all other apps are in the background then (SYS-5).
  ///
  /// Not in the SDK, where the system knows. Call it when a window of the app gets the focus.
  /// [control-thread]
  public func comeToForeground() throws { try controller.comeToForeground() }

  // MARK: - Interruptions

  /// Whether ringing does not interrupt the session.
  public var prefersNoInterruptionsFromSystemAlerts: Bool {
    state.choices.prefersNoInterruptionsFromSystemAlerts
  }

  /// Sets whether ringing does not interrupt the session; an accepted call interrupts it in any case.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ isOn: Bool) throws {
    try controller.choose({ $0.prefersNoInterruptionsFromSystemAlerts = isOn }) {
      $0.prefersNoInterruptionsFromSystemAlerts = isOn
    }
  }

  /// Whether the session is interrupted when its route disconnects; unless set, whether the app is now playing (RTE-3).
  public var prefersInterruptionOnRouteDisconnect: Bool {
    let state = state
    return state.choices.prefersInterruptionOnRouteDisconnect ?? (state.detail?.nowPlaying == true)
  }

  /// Sets whether the session is interrupted when its route disconnects; this interruption has no end.
  public func setPrefersInterruptionOnRouteDisconnect(_ isOn: Bool) throws {
    try controller.choose({ $0.prefersInterruptionOnRouteDisconnect = isOn }) {
      $0.prefersInterruptionOnRouteDisconnect = isOn
    }
  }

  // MARK: - Mutes

  /// Whether the output is muted.
  public var isOutputMuted: Bool { state.detail?.outputMuted ?? false }

  /// Mutes or unmutes the output.
  ///
  /// - Throws: `badParam` with `playAndRecord` in another mode than `default`.
  /// [control-thread]
  public func setOutputMuted(_ isMuted: Bool) throws {
    try controller.adjust { $0.outputMuted = isMuted }
  }

  // MARK: - Permission

  /// Whether the app may record (PRM-1).
  @available(iOS, deprecated: 17, message: "use AVAudioApplication.shared.recordPermission")
  public var recordPermission: RecordPermission {
    switch state.detail?.permission {
    case .granted: .granted
    case .denied: .denied
    case .undetermined, nil: .undetermined
    }
  }

  /// Asks whether the app may record; the answer is immediate if the user has decided (PRM-1).
  ///
  /// - Parameter response: Called once, on any thread.
  @available(iOS, deprecated: 17, message: "use AVAudioApplication.requestRecordPermission")
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    AVAudioApplication.requestRecordPermission(completionHandler: response)
  }

  // MARK: - Echoes and injection

  /// Whether the app prefers an input without echoes; kept, without effect.
  public var prefersEchoCancelledInput: Bool { state.choices.prefersEchoCancelledInput }

  /// Prefers an input without echoes; kept without effect, because no port on JACK offers it.
  public func setPrefersEchoCancelledInput(_ isPreferred: Bool) throws {
    try controller.choose { $0.prefersEchoCancelledInput = isPreferred }
  }

  /// Always false.
  public var isEchoCancelledInputEnabled: Bool { false }

  /// Always false.
  public var isEchoCancelledInputAvailable: Bool { false }

  /// The preferred mode of microphone injection; kept, without effect.
  public var preferredMicrophoneInjectionMode: MicrophoneInjectionMode {
    state.choices.injectionMode
  }

  /// Prefers to add audio to other apps' microphones; kept, without effect.
  public func setPreferredMicrophoneInjectionMode(_ mode: MicrophoneInjectionMode) throws {
    try controller.choose { $0.injectionMode = mode }
  }

  /// Always false: connect JACK ports instead.
  public var isMicrophoneInjectionAvailable: Bool { false }

  /// Whether the app may record (PRM-1).
  @available(iOS, deprecated: 17, message: "use AVAudioApplication")
  public enum RecordPermission: UInt, Sendable {
    /// The user was not asked yet ('undt').
    case undetermined = 0x756E_6474
    /// The user said no ('deny').
    case denied = 0x6465_6E79
    /// The user said yes ('grnt').
    case granted = 0x6772_6E74
  }

  /// The recommended length of a prompt beside the audio of other apps.
  public enum PromptStyle: UInt, Sendable {
    /// No prompt ('none').
    case none = 0x6E6F_6E65
    /// A short prompt ('shrt').
    case short = 0x7368_7274
    /// A prompt of normal length ('nrml').
    case normal = 0x6E72_6D6C
  }

  /// Whether the app adds audio to other apps' microphones; without effect on JACK.
  public enum MicrophoneInjectionMode: Int, Sendable {
    /// The empty selection.
    case none = 0
    /// Speech.
    case spokenAudio = 1
  }
}
