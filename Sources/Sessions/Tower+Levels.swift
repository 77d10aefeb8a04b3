// SPDX-License-Identifier: MIT

extension Tower {
  /// Derives gates, ducks, capture gates and hints from the facts; what changed becomes effects.
  mutating func settleLevels() {
    let ducker = state.topDucker
    for index in state.sessions.indices {
      settleDuck(index, ducker)
      settleGate(index)
      settleCapture(index)
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
  /// One that is not heard jumps to its level. One that falls silent keeps it while somebody
  /// ducks, so that it does not swell during its fade.
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

  /// Tells who should silence secondary audio because somebody's primary audio sounds (rule ACT-7).
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

  /// Closes what is open of a session that goes away.
  mutating func silence(_ index: Int) {
    let id = state.sessions[index].id
    let fade = state.configuration.fadeMilliseconds
    if state.sessions[index].isGateOpen {
      state.sessions[index].isGateOpen = false
      closing.append(.setGate(session: id, isOpen: false, fadeMilliseconds: fade))
    }
    if state.sessions[index].isCaptureOpen {
      state.sessions[index].isCaptureOpen = false
      closing.append(.setCapture(session: id, isOpen: false, fadeMilliseconds: fade))
    }
  }
}
