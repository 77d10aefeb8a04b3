// SPDX-License-Identifier: MIT

extension TowerState {
  /// Why a session is not heard, nil when it is.
  func outputSilence(_ index: Int) -> Silence? {
    if !isServerRunning { return .serverLost }
    if !sessions[index].isActive {
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
    return sessions[index].route.outputs.isEmpty ? .noRoute : nil
  }

  /// Why a session hears nothing of its inputs, nil when it does.
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
  /// It is not lowered itself, so that of two prompts the later one is understood.
  var topDucker: Int? {
    var top: Int?
    for index in sessions.indices
    where sessions[index].isActive && sessions[index].configuration.ducksOthers {
      if let top, sessions[top].activationOrder > sessions[index].activationOrder { continue }
      top = index
    }
    return top
  }

  /// Whether others lower this session: no priority class, and nobody who measures.
  func canBeDucked(_ index: Int) -> Bool {
    sessions[index].priorityClass == .app && sessions[index].configuration.mode != .measurement
  }

  /// Whether a session is heard and does not mix.
  func isPrimary(_ index: Int) -> Bool {
    sessions[index].isSounding && sessions[index].isExclusive
  }
}
