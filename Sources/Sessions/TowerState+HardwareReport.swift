// SPDX-License-Identifier: MIT

extension TowerState {
  /// What a session wished for and what it got; nil for unknown sessions (rule HW-3).
  ///
  /// - Parameter id: The session.
  /// - Returns: The report, or nil.
  /// [any-thread]
  public func hardwareReport(of id: SessionID) -> HardwareReport? {
    session(id).map { report(on: $0) }
  }

  /// A session's wishes and what became of them.
  func report(on session: Session) -> HardwareReport {
    let actual = hardware.actual
    let rate = session.preferences.sampleRateHz
    let buffer = session.preferences.ioBufferSeconds
    return HardwareReport(
      sampleRateHz: HardwareReport.Value(
        preferred: rate,
        actual: actual.sampleRateHz,
        difference: rate.flatMap { rateDifference(session, $0) },
      ),
      ioBufferSeconds: HardwareReport.Value(
        preferred: buffer,
        actual: actual.ioBufferSeconds,
        difference: buffer.flatMap { bufferDifference(session, $0) },
      ),
      isCurrent: session.isActive && isServerRunning,
    )
  }

  private func rateDifference(_ session: Session, _ wish: Double) -> HardwareReport.Difference? {
    if hardware.actual.sampleRateHz == wish { return nil }
    guard session.isActive, session.appliedPreferences.sampleRateHz == wish,
      let target = hardware.target
    else { return .atNextActivation }
    if let owner = target.sampleRateOwner, owner != session.id { return .decidedBy(session: owner) }
    if !hardware.facts.canSetSampleRate { return .serverNotOwned }
    return hardware.isSettling ? .pending : .notSupported
  }

  private func bufferDifference(_ session: Session, _ wish: Double) -> HardwareReport.Difference? {
    if hardware.actual.ioBufferSeconds == wish { return nil }
    guard session.isActive, session.appliedPreferences.ioBufferSeconds == wish,
      let target = hardware.target
    else { return .atNextActivation }
    if let owner = target.bufferOwner, owner != session.id { return .decidedBy(session: owner) }
    if hardware.hasGivenUp { return .changedByOthers }
    return hardware.isSettling ? .pending : .notSupported
  }
}
