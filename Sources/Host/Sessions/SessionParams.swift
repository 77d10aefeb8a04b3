// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

extension OpenSession.Params {
  /// The description of the session that these parameters open. [any-thread]
  ///
  /// - Throws: `SessionError` for combinations that are not allowed.
  func description() throws(SessionError) -> SessionDescription {
    var description = SessionDescription(
      app: app,
      priorityClass: priorityClass ?? .app,
      preferences: try HardwarePreferences(
        sampleRateHz: preferredSampleRateHz,
        ioBufferSeconds: preferredIOBufferSeconds,
      ),
    )
    if let preset {
      guard mode == nil, options == nil else {
        throw SessionError(
          .badParam,
          .value(name: "mode and options", given: "given", allowed: "nothing, with a preset"),
          .ses2,
        )
      }
      description.configuration =
        try category.map { category throws(SessionError) in
          try preset.configuration(category: category)
        } ?? preset.configuration
      preset.describe(&description.traits)
    } else {
      description.configuration = try SessionConfiguration(
        category: category ?? (systemSounds == true ? .ambient : .soloAmbient),
        mode: mode ?? .default,
        options: options ?? [],
      )
    }
    description.traits.hasBackgroundAudio = background ?? .audio == .audio
    description.traits.suspendsInBackground = background == .suspend
    description.traits.music = music
    description.traits.appliesPreferencesAtOnce = appliesPreferencesAtOnce
    description.traits.playsSystemSounds = systemSounds == true
    if file != nil { description.playsFile(hasPreset: preset != nil) }
    if let compatibility { description.compatibility = compatibility }
    return description
  }
}

extension ConfigureSession.Params {
  /// The requests to the tower, in order. [any-thread]
  ///
  /// - Parameter current: The session's configuration now.
  /// - Returns: The requests.
  func requests(of current: SessionConfiguration?) -> [SessionRequest] {
    var requests: [SessionRequest] = []
    if category != nil || options != nil {
      let category = category ?? current?.category ?? .soloAmbient
      let options = options ?? []
      if let mode {
        requests.append(
          .configure(category: category, mode: mode, policy: policy ?? .default, options: options)
        )
      } else {
        requests.append(.setCategory(category: category, options: options))
      }
    } else if let mode {
      requests.append(.setMode(mode: mode))
    }
    if let preferredSampleRateHz {
      requests.append(.prefer(change: .sampleRate(hz: preferredSampleRateHz)))
    }
    if let preferredIOBufferSeconds {
      requests.append(.prefer(change: .ioBuffer(seconds: preferredIOBufferSeconds)))
    }
    if let preferredInputChannels {
      requests.append(.prefer(change: .inputChannels(count: preferredInputChannels)))
    }
    if let preferredOutputChannels {
      requests.append(.prefer(change: .outputChannels(count: preferredOutputChannels)))
    }
    if let inputGain { requests.append(.prefer(change: .inputGain(linear: Float(inputGain)))) }
    return requests
  }
}

extension SessionDescription {
  /// Describes the session of a file that the host plays: the host steers the player, as it does an adopted one. [any-thread]
  ///
  /// - Parameter hasPreset: Whether a preset says how it reacts; else it goes on after an interruption, and where a device is
  ///   unplugged.
  fileprivate mutating func playsFile(hasPreset: Bool) {
    isAdopted = true
    // It is active from its activation to the end of the file.
    traits.isActiveWhileSounding = false
    guard hasPreset else {
      traits.reactions = Reactions(interruptionEnd: .resume, unplug: .ignore)
      return
    }
    // Its program waits for the end of the file, and there is nobody who could press play.
    if traits.reactions.interruptionEnd == .resumeIfPlaying {
      traits.reactions.interruptionEnd = .resume
    }
  }
}
