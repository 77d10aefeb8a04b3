// SPDX-License-Identifier: MIT

extension Tower {
  /// Derives gates, ducks, capture gates and hints from the facts; each change becomes an effect.
  mutating func settleLevels() {
    let ducker = state.topDucker
    for index in state.sessions.indices {
      settleWaiting(index)
      settleDuck(index, ducker)
      if state.sessions[index].traits.music == nil { settleGate(index) }
      settleCapture(index)
    }
    // Background music follows the gates of the others.
    for index in state.sessions.indices where state.sessions[index].traits.music == .background {
      settleGate(index)
    }
    settleHints()
  }

  private mutating func settleGate(_ index: Int) {
    let silence = state.outputSilence(index)
    guard state.sessions[index].isGateOpen != (silence == nil) else { return }
    let fade = state.configuration.fadeMilliseconds
    let id = state.sessions[index].id
    state.sessions[index].isGateOpen = silence == nil
    if let silence {
      closing.append(.setGate(session: id, isOpen: false, fadeMilliseconds: fade))
      log(silence.rule, .gateClosed(cause: silence), index)
    } else {
      opening.append(.setGate(session: id, isOpen: true, fadeMilliseconds: fade))
      log(.act1, .gateOpened, index)
    }
  }

  private mutating func settleCapture(_ index: Int) {
    let silence = state.captureSilence(index)
    guard state.sessions[index].isCaptureOpen != (silence == nil) else { return }
    let fade = state.configuration.fadeMilliseconds
    let id = state.sessions[index].id
    state.sessions[index].isCaptureOpen = silence == nil
    if let silence {
      closing.append(.setCapture(session: id, isOpen: false, fadeMilliseconds: fade))
      log(silence.rule, .captureClosed(cause: silence), index)
    } else {
      opening.append(.setCapture(session: id, isOpen: true, fadeMilliseconds: fade))
      log(.prm1, .captureOpened, index)
    }
  }

  /// Lowers or restores a session (rule ACT-3).
  ///
  /// A silent session jumps to its level. A session that falls silent keeps its level while a ducker is active, so that
  /// it does not swell during its fade.
  private mutating func settleDuck(_ index: Int, _ ducker: Int?) {
    let previous = state.sessions[index].duckGainDB
    var gainDB = 0.0
    if let ducker, ducker != index, state.canBeDucked(index),
      state.sessions[index].isActive || previous != 0
    {
      gainDB = state.configuration.duckGainDB
    }
    if gainDB == previous { return }
    state.sessions[index].duckGainDB = gainDB
    let isHeard = state.sessions[index].isGateOpen
    let ramp =
      gainDB == 0 ? state.configuration.restoreMilliseconds : state.configuration.duckMilliseconds
    opening.append(
      .setDuck(
        session: state.sessions[index].id,
        gainDB: gainDB,
        rampMilliseconds: isHeard ? ramp : 0,
      )
    )
    if gainDB == 0 {
      log(.act3, .restored, index)
    } else {
      log(.act3, .ducked(by: ducker.map { state.sessions[$0].id }), index)
    }
  }

  /// Takes in that a session's signal fell silent, or came back (rules ACT-8, ACT-10).
  mutating func changeLevel(_ index: Int, isSilent: Bool) {
    let was = state.sessions[index].silentSinceNanoseconds != nil
    guard was != isSilent else { return }
    state.sessions[index].silentSinceNanoseconds = isSilent ? now : nil
    if state.sessions[index].isSounding, state.sessions[index].isExclusive {
      log(.act10, .primaryAudio(isSilent: isSilent), index)
    }
    needsLevels = true
  }

  /// Sends hints to silence secondary audio while another session's primary audio sounds (rules ACT-7, ACT-10).
  private mutating func settleHints() {
    var primaries = 0
    for index in state.sessions.indices where state.isPrimary(index) { primaries += 1 }
    for index in state.sessions.indices {
      let hint = primaries > (state.isPrimary(index) ? 1 : 0)
      guard state.sessions[index].secondaryAudioShouldBeSilencedHint != hint else { continue }
      state.sessions[index].secondaryAudioShouldBeSilencedHint = hint
      if state.sessions[index].isActive, !state.sessions[index].isInBackground {
        notify(index, .silenceSecondaryAudioHint(begins: hint))
      }
    }
  }

  /// Closes the gates of a session that ends.
  mutating func silence(_ session: Session) {
    let fade = state.configuration.fadeMilliseconds
    if session.isGateOpen {
      closing.append(.setGate(session: session.id, isOpen: false, fadeMilliseconds: fade))
    }
    if session.isCaptureOpen {
      closing.append(.setCapture(session: session.id, isOpen: false, fadeMilliseconds: fade))
    }
  }
}

extension TowerState {
  /// Why a session is not heard; nil when it is heard.
  func outputSilence(_ index: Int) -> Silence? {
    if !isServerRunning { return .serverLost }
    // System sounds are heard beside everything, without an activation (rule PLR-5).
    if !sessions[index].isActive, !sessions[index].isWaitingForSound,
      !sessions[index].traits.playsSystemSounds
    {
      return sessions[index].interruption == nil ? .inactive : .interrupted
    }
    let category = sessions[index].configuration.category
    if !category.hasOutput { return .category }
    if category.isSilencedBySwitchAndLock {
      if isSilentSwitchOn { return .silentSwitch }
      if isScreenLocked { return .screenLock }
    }
    if sessions[index].isPaused { return .paused }
    if sessions[index].isOutputMuted { return .muted }
    if sessions[index].traits.music == .background, isOtherMusicPlaying(beside: index) {
      return .otherMusic
    }
    return sessions[index].route.outputs.isEmpty ? .noRoute : nil
  }

  /// Why a session does not hear its inputs; nil when it hears them.
  func captureSilence(_ index: Int) -> Silence? {
    if !isServerRunning { return .serverLost }
    if !sessions[index].isActive {
      return sessions[index].interruption == nil ? .inactive : .interrupted
    }
    if !sessions[index].configuration.category.hasInput { return .category }
    if permission(of: sessions[index].app) != .granted { return .permission }
    if sessions[index].isInputMuted { return .muted }
    return sessions[index].route.inputs.isEmpty ? .noRoute : nil
  }

  /// The session that lowers the others: the active ducker activated last (rule ACT-3).
  ///
  /// It is not lowered itself, so that the later of two prompts is understood.
  var topDucker: Int? {
    var top: Int?
    for index in sessions.indices
    where sessions[index].isActive && sessions[index].configuration.ducksOthers {
      if let top, sessions[top].activationOrder > sessions[index].activationOrder { continue }
      top = index
    }
    return top
  }

  /// Whether others lower this session: it has class `app` and does not measure.
  func canBeDucked(_ index: Int) -> Bool {
    sessions[index].priorityClass == .app && sessions[index].configuration.mode != .measurement
  }

  /// Whether a session is heard and does not mix; an idle, mixing or silent one is no primary audio (rule ACT-10).
  func isPrimary(_ index: Int) -> Bool {
    isAudible(index) && sessions[index].isExclusive
  }

  /// Whether a session is heard and sends more than silence.
  func isAudible(_ index: Int) -> Bool {
    sessions[index].isSounding && sessions[index].silentSinceNanoseconds == nil
  }

  /// Whether another app plays music, beside which background music is silent (rule SYS-6).
  private func isOtherMusicPlaying(beside index: Int) -> Bool {
    sessions.indices.contains { sessions[$0].app != sessions[index].app && playsMusic($0) }
  }

  /// Whether a session plays its user's own music: a player that is heard and is neither a prompt nor background music.
  ///
  /// Players may mix, so those that take media keys count too.
  private func playsMusic(_ index: Int) -> Bool {
    let session = sessions[index]
    let category = session.configuration.category
    guard category == .playback || category == .multiRoute, session.traits.music == nil else {
      return false
    }
    if session.configuration.ducksOthers || session.configuration.interruptsSpokenAudio {
      return false
    }
    return isAudible(index) && (session.isExclusive || session.traits.takesRemoteCommands)
  }
}
