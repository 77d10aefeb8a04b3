// SPDX-License-Identifier: MIT

/// The sessions of the tower: active or not, interrupted or lowered by which one, since when and by which rule.
public struct TowerStatus: Hashable, Codable, Sendable {
  /// One session.
  public struct Entry: Hashable, Codable, Sendable {
    /// The session.
    public let session: SessionID
    /// The program.
    public let app: String
    /// The class.
    public let priorityClass: PriorityClass
    /// Category, mode, options and policy.
    public let configuration: SessionConfiguration
    /// Whether it is active.
    public let isActive: Bool
    /// When that changed last, on the clock of the events.
    public let changedAtNanoseconds: UInt64
    /// Its interrupters, oldest first.
    public let interruptedBy: [Interrupter]
    /// When the interruption began, on the clock of the events.
    public let interruptedSinceNanoseconds: UInt64?
    /// By which rule it is interrupted or lowered.
    public let rule: RuleID?
    /// The session that lowers it.
    public let duckedBy: SessionID?
    /// Its duck gain in dB; 0 when it is not lowered.
    public let duckGainDB: Double
    /// Whether it is heard.
    public let isSounding: Bool
    /// Whether it has been active and silent for long (rule ACT-8).
    public let isActiveButSilent: Bool
    /// Its route.
    public let route: RouteDescription
    /// Its preferences and the actual values.
    public let hardware: HardwareReport
  }

  /// The sessions by id.
  public let sessions: [Entry]
  /// The session that media keys reach.
  public let nowPlaying: SessionID?
  /// The simulated interruptions in progress.
  public let simulated: [SimulatedInterruption]
  /// Whether the JACK server is up.
  public let isServerRunning: Bool
}

extension TowerState {
  /// A summary of every session, for people.
  ///
  /// - Parameter timeNanoseconds: Now, on the clock of the events.
  /// - Returns: The summary.
  public func status(atNanoseconds timeNanoseconds: UInt64) -> TowerStatus {
    let ducker = topDucker
    return TowerStatus(
      sessions: sessions.indices.map { entry($0, ducker, timeNanoseconds) },
      nowPlaying: nowPlaying(atNanoseconds: timeNanoseconds),
      simulated: simulated,
      isServerRunning: isServerRunning,
    )
  }

  /// Whether another session's primary audio is heard; idle, mixing and silent ones do not count (rules ACT-7, ACT-10).
  ///
  /// - Parameter id: The session that asks.
  /// - Returns: Whether one is.
  public func isOtherAudioPlaying(for id: SessionID) -> Bool {
    sessions.indices.contains { sessions[$0].id != id && isPrimary($0) }
  }

  private func entry(_ index: Int, _ ducker: Int?, _ now: UInt64) -> TowerStatus.Entry {
    let session = sessions[index]
    let isDucked = session.duckGainDB != 0
    return TowerStatus.Entry(
      session: session.id,
      app: session.app,
      priorityClass: session.priorityClass,
      configuration: session.configuration,
      isActive: session.isActive,
      changedAtNanoseconds: session.changedAtNanoseconds,
      interruptedBy: session.interruption?.interrupters ?? [],
      interruptedSinceNanoseconds: session.interruption?.sinceNanoseconds,
      rule: session.interruption?.rule ?? (isDucked ? .act3 : nil),
      duckedBy: isDucked ? ducker.map { sessions[$0].id } : nil,
      duckGainDB: session.duckGainDB,
      isSounding: session.isSounding,
      isActiveButSilent: isActiveButSilent(session, now),
      route: session.route,
      hardware: report(on: session),
    )
  }

  /// Whether a session has been active without sound or I/O for long (rule ACT-8).
  private func isActiveButSilent(_ session: Session, _ now: UInt64) -> Bool {
    guard session.isActive else { return false }
    let since =
      session.isRunningIO ? session.silentSinceNanoseconds : session.changedAtNanoseconds
    guard let since, now > since else { return false }
    return now - since >= configuration.silentAfterNanoseconds
  }
}
