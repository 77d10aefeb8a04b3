// SPDX-License-Identifier: MIT

extension Tower {
  /// Stores a preference; it takes effect with the next activation, or at once where the session or the host says so (rule
  /// HW-1).
  mutating func prefer(
    _ change: HardwarePreferences.Change,
    _ index: Int
  ) throws(SessionError) {
    let category = state.sessions[index].configuration.category
    switch change {
    case .inputChannels where !category.hasInput:
      throw Self.noDirection(category, "input", Category.allCases.filter(\.hasInput))
    case .outputChannels where !category.hasOutput:
      throw Self.noDirection(category, "output", Category.allCases.filter(\.hasOutput))
    case .inputChannels(let count):
      try check(count, state.sessions[index].route.inputs, "inputNumberOfChannels", index)
    case .outputChannels(let count):
      try check(count, state.sessions[index].route.outputs, "outputNumberOfChannels", index)
    default:
      break
    }
    try state.sessions[index].preferences.apply(change)
    guard state.sessions[index].isActive else { return }
    if case .inputGain(let linear) = change {
      patching.append(.setInputGain(linear: min(max(linear, 0), 1)))
    }
    let isAtOnce = state.sessions[index].traits.appliesPreferencesAtOnce
    if isAtOnce ?? state.configuration.appliesPreferencesAtOnce { applyPreferences(index) }
  }

  private static func noDirection(
    _ category: Category,
    _ operation: String,
    _ allowed: [Category]
  ) -> SessionError {
    SessionError(
      .incompatibleCategory,
      .category(category: category, operation: operation, allowed: allowed),
      .cat1,
    )
  }

  /// Checks a channel count against the route, once the session is active and has one.
  private func check(
    _ count: Int,
    _ ports: [PortDescription],
    _ name: String,
    _ index: Int
  ) throws(SessionError) {
    guard state.sessions[index].isActive else { return }
    let maximum = ports.reduce(0) { $0 + $1.channelNames.count }
    guard count <= maximum else {
      throw .value(name, given: String(count), allowed: "1…\(maximum)", .hw1)
    }
  }

  /// Puts the preferences of a session into effect.
  mutating func applyPreferences(_ index: Int) {
    state.sessions[index].appliedPreferences = state.sessions[index].preferences
    if let gain = state.sessions[index].preferences.inputGainLinear {
      patching.append(.setInputGain(linear: gain))
    }
    needsHardware = true
  }

  /// Combines the preferences of the active sessions and requests what differs (rules HW-2, HW-4).
  mutating func settleHardware() {
    guard state.isServerRunning else { return }
    var claims: [HardwareArbiter.Claim] = []
    for index in state.sessions.indices where state.sessions[index].isActive {
      let preferences = state.sessions[index].appliedPreferences
      if preferences.sampleRateHz == nil, preferences.ioBufferSeconds == nil { continue }
      claims.append(
        HardwareArbiter.Claim(
          session: state.sessions[index].id,
          priorityClass: state.sessions[index].priorityClass,
          isMixable: state.sessions[index].configuration.isMixable,
          activationOrder: state.sessions[index].activationOrder,
          preferences: preferences,
        )
      )
    }
    let hardware = state.hardware
    var resting = hardware.actual
    // Without preferences the period goes back. The rate stays, because changing it restarts the server.
    resting.bufferFrames = hardware.facts.base.bufferFrames
    let target = HardwareArbiter.decide(claims, facts: hardware.facts, actual: resting)
    guard target != hardware.target else { return }
    state.hardware.target = target
    let values = target?.values ?? resting
    if let target { log(.hw4, .hardware(target: target)) }
    guard values != hardware.requested ?? hardware.actual else { return }
    state.hardware.requested = values
    state.hardware.isSettling = true
    state.hardware.hasGivenUp = false
    state.hardware.reassertions = 0
    patching.append(.setHardware(values: values))
  }

  /// Stores the actual values, and restores values that another client changed (rules HW-2, HW-3).
  mutating func readBack(_ values: HardwareValues, byOthers: Bool) {
    let hasOtherRate = values.sampleRateHz != state.hardware.actual.sampleRateHz
    state.hardware.actual = values
    if hasOtherRate { notifyOfNewRate() }
    guard byOthers else {
      state.hardware.isSettling = false
      return
    }
    guard let target = state.hardware.target, target.bufferOwner != nil else {
      state.hardware.facts.base = values
      state.hardware.requested = nil
      return
    }
    guard values != target.values, !state.hardware.hasGivenUp else { return }
    let last = state.hardware.reassertedAtNanoseconds
    if now < last || now - last > state.configuration.reassertWindowNanoseconds {
      state.hardware.reassertions = 0
    }
    guard state.hardware.reassertions < state.configuration.reassertLimit else {
      state.hardware.hasGivenUp = true
      log(.hw2, .hardwareGivenUp(values: values))
      return
    }
    state.hardware.reassertions += 1
    state.hardware.reassertedAtNanoseconds = now
    state.hardware.isSettling = true
    log(.hw2, .hardwarePutBack(values: target.values))
    patching.append(.setHardware(values: target.values))
  }

  /// Notifies sessions of another rate, which is the same route in another configuration (rule RTE-2).
  private mutating func notifyOfNewRate() {
    for index in state.sessions.indices where state.sessions[index].isActive {
      let route = state.sessions[index].route
      notify(
        index,
        .routeChanged(reason: .routeConfigurationChange, previous: route, current: route),
      )
    }
  }
}
