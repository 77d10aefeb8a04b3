// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation

extension AVAudioSession {
  // MARK: - Others

  /// Whether another app sounds, be it mixing or not (ACT-7).
  public var isOtherAudioPlaying: Bool { state.detail?.otherAudioPlaying ?? false }

  /// Whether the app should silence its secondary audio, as another's primary audio sounds (ACT-7).
  public var secondaryAudioShouldBeSilencedHint: Bool {
    state.detail?.secondaryAudioShouldBeSilenced ?? false
  }

  /// The volume of the output route, linear, 0 to 1; the user sets it at the host (VOL-1).
  public var outputVolume: Float { Float(state.detail?.hardware.outputVolume ?? 0) }

  /// How a prompt should sound: `short` while others should be silent, `normal` otherwise.
  public var promptStyle: PromptStyle { secondaryAudioShouldBeSilencedHint ? .short : .normal }

  /// Whether system sounds and haptics are allowed while recording.
  public var allowHapticsAndSystemSoundsDuringRecording: Bool {
    state.choices.allowsHapticsWhileRecording
  }

  /// Says whether system sounds sound while recording; haptics are unknown to JACK.
  public func setAllowHapticsAndSystemSoundsDuringRecording(_ isAllowed: Bool) throws {
    try controller.choose { $0.allowsHapticsWhileRecording = isAllowed }
  }

  // MARK: - Interruptions

  /// Whether ringing leaves the session alone.
  public var prefersNoInterruptionsFromSystemAlerts: Bool {
    state.choices.prefersNoInterruptionsFromSystemAlerts
  }

  /// Says whether ringing shall leave the session alone; an accepted call interrupts all the same.
  public func setPrefersNoInterruptionsFromSystemAlerts(_ isOn: Bool) throws {
    try controller.choose({ $0.prefersNoInterruptionsFromSystemAlerts = isOn }) {
      $0.prefersNoInterruptionsFromSystemAlerts = isOn
    }
  }

  /// Whether the session is interrupted when its route goes away.
  public var prefersInterruptionOnRouteDisconnect: Bool {
    state.choices.prefersInterruptionOnRouteDisconnect
  }

  /// Says whether the session shall be interrupted when its route goes away; no end follows.
  public func setPrefersInterruptionOnRouteDisconnect(_ isOn: Bool) throws {
    try controller.choose({ $0.prefersInterruptionOnRouteDisconnect = isOn }) {
      $0.prefersInterruptionOnRouteDisconnect = isOn
    }
  }

  // MARK: - Mutes

  /// Whether the output is silence.
  public var isOutputMuted: Bool { state.detail?.outputMuted ?? false }

  /// Mutes the output, or lets it sound again.
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
    case "granted": .granted
    case "denied": .denied
    default: .undetermined
    }
  }

  /// Asks whether the app may record; answered at once where the user has decided (PRM-1).
  ///
  /// - Parameter response: Called once, on any thread.
  @available(iOS, deprecated: 17, message: "use AVAudioApplication.requestRecordPermission")
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    AVAudioApplication.requestRecordPermission(completionHandler: response)
  }

  // MARK: - Echoes and injection

  /// Whether the app asks for an input without echoes; kept, without effect.
  public var prefersEchoCancelledInput: Bool { state.choices.prefersEchoCancelledInput }

  /// Asks for an input without echoes; kept, as no port on JACK offers it.
  public func setPrefersEchoCancelledInput(_ isPreferred: Bool) throws {
    try controller.choose { $0.prefersEchoCancelledInput = isPreferred }
  }

  /// Always false.
  public var isEchoCancelledInputEnabled: Bool { false }

  /// Always false.
  public var isEchoCancelledInputAvailable: Bool { false }

  /// What the app asks for; kept, without effect.
  public var preferredMicrophoneInjectionMode: MicrophoneInjectionMode {
    state.choices.injectionMode
  }

  /// Asks to add audio to other apps' microphones; kept, without effect.
  public func setPreferredMicrophoneInjectionMode(_ mode: MicrophoneInjectionMode) throws {
    try controller.choose { $0.injectionMode = mode }
  }

  /// Always false: connect JACK ports instead.
  public var isMicrophoneInjectionAvailable: Bool { false }
}
