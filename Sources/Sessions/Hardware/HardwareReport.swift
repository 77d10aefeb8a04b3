// SPDX-License-Identifier: MIT

/// A session's preferences and the actual values, with a reason for each difference (rule HW-3).
public struct HardwareReport: Hashable, Codable, Sendable {
  /// Why an actual value differs from the preference.
  public enum Difference: Hashable, Codable, Sendable {
    /// The preference takes effect with the next activation.
    case atNextActivation
    /// The driver has no such value; the nearest was taken.
    case notSupported
    /// The server is not the host's own, so its rate cannot change.
    case serverNotOwned
    /// Another session asked for a smaller buffer, or decides the rate.
    case decidedBy(session: SessionID)
    /// Another JACK client keeps changing the value, and the host stopped restoring it.
    case changedByOthers
    /// The server was asked and has not confirmed yet.
    case pending
  }

  /// One value.
  public struct Value: Hashable, Codable, Sendable {
    /// The preference; nil without one.
    public let preferred: Double?
    /// The value of the server.
    public let actual: Double
    /// Why the two differ; nil when they are equal or there is no preference.
    public let difference: Difference?
  }

  /// The sample rate in Hz.
  public let sampleRateHz: Value
  /// The duration of one I/O buffer in seconds.
  public let ioBufferSeconds: Value
  /// Whether the values hold now: the session is active (rule HW-7).
  public let isCurrent: Bool
}

extension TowerState {
  /// A session's preferences and the actual values; nil for unknown sessions (rule HW-3).
  ///
  /// - Parameter id: The session.
  /// - Returns: The report, or nil.
  public func hardwareReport(of id: SessionID) -> HardwareReport? {
    session(id).map { report(on: $0) }
  }

  /// A session's preferences and the actual values.
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

  private func rateDifference(_ session: Session, _ preferred: Double) -> HardwareReport.Difference?
  {
    if hardware.actual.sampleRateHz == preferred { return nil }
    guard session.isActive, session.appliedPreferences.sampleRateHz == preferred,
      let target = hardware.target
    else { return .atNextActivation }
    if let owner = target.sampleRateOwner, owner != session.id { return .decidedBy(session: owner) }
    if !hardware.facts.canSetSampleRate { return .serverNotOwned }
    return hardware.isSettling ? .pending : .notSupported
  }

  private func bufferDifference(_ session: Session, _ preferred: Double) -> HardwareReport
    .Difference?
  {
    if hardware.actual.ioBufferSeconds == preferred { return nil }
    guard session.isActive, session.appliedPreferences.ioBufferSeconds == preferred,
      let target = hardware.target
    else { return .atNextActivation }
    if let owner = target.bufferOwner, owner != session.id { return .decidedBy(session: owner) }
    if hardware.hasGivenUp { return .changedByOthers }
    return hardware.isSettling ? .pending : .notSupported
  }
}
