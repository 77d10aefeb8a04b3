// SPDX-License-Identifier: MIT

extension Tower {
  /// Sets category, mode, options; an active session takes them at once (rule SES-3).
  mutating func configure(_ request: SessionRequest, _ index: Int) throws(SessionError) {
    var configuration = state.sessions[index].configuration
    let compatibility = state.sessions[index].compatibility
    switch request {
    case .setCategory(let category, let options):
      try configuration.setCategory(category, options: options, compatibility: compatibility)
    case .configure(let category, let mode, let policy, let options):
      try configuration.setCategory(
        category,
        mode: mode,
        policy: policy,
        options: options,
        compatibility: compatibility
      )
    case .setMode(let mode):
      try configuration.setMode(mode)
    default:
      return
    }
    let isActive = state.sessions[index].isActive
    if isActive, let refusal = refusal(index, configuration, isReconfiguration: true) {
      throw refusal
    }
    state.sessions[index].configuration = configuration
    log(.ses3, .configured(configuration: configuration), index)
    if case .setMode = request {} else { state.sessions[index].override = .none }
    if configuration.category == .playAndRecord, configuration.mode != .default,
      state.sessions[index].isOutputMuted
    {
      state.sessions[index].isOutputMuted = false
      notify(index, .outputMuteChanged(isMuted: false))
    }
    state.sessions[index].isRouteStale = true
    guard isActive else {
      // A session that was lowered stays so for its fade, but not if it measures now; system sounds are heard without activation.
      needsLevels = true
      reviewBackground(index)
      return
    }
    interruptOthers(index)
    reroute(index, .categoryChange, always: true)
    reviewBackground(index)
    needsHardware = true
  }
}
