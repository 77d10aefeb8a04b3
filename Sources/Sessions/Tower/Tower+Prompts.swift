// SPDX-License-Identifier: MIT

/// Adopted clients whose sessions are active only while they sound, such as navigation (rule ACT-9).
extension Tower {
  /// Derives whether a session waits for its client's next sound: nothing else keeps it from being active.
  ///
  /// Its gate is open meanwhile, so that no sound is lost.
  mutating func settleWaiting(_ index: Int) {
    let waits = waitsForSound(index)
    guard state.sessions[index].isWaitingForSound != waits else { return }
    state.sessions[index].isWaitingForSound = waits
    messages.append(.listen(session: state.sessions[index].id, isOn: waits))
  }

  private func waitsForSound(_ index: Int) -> Bool {
    let session = state.sessions[index]
    guard session.isPrompt, session.isRunningIO, !session.isActive, session.interruption == nil,
      !session.isPaused
    else { return false }
    return refusal(index, session.configuration) == nil
  }

  /// Makes a session active, because its client sounds.
  mutating func takeHold(_ index: Int) {
    guard state.sessions[index].isWaitingForSound else { return }
    log(.act9, .tookHold, index)
    activateImplicitly(index)
  }

  /// Makes a session inactive, because its client is silent.
  mutating func letGo(_ index: Int) {
    guard state.sessions[index].isPrompt, state.sessions[index].isActive else { return }
    log(.act9, .letGo, index)
    deactivate(index, notifyOthers: true)
  }
}

extension TowerState {
  /// Whether an adopted client that is active only while it sounds is connected and not active.
  var hasIdlePrompt: Bool {
    sessions.contains { $0.isPrompt && !$0.isActive && $0.isRunningIO }
  }
}

extension Session {
  /// Whether it belongs to an adopted client and is active only while that sounds.
  var isPrompt: Bool { isAdopted && traits.isActiveWhileSounding }
}
