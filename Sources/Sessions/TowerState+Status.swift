// SPDX-License-Identifier: MIT

extension TowerState {
  /// The state as people want it.
  ///
  /// - Parameter timeNanoseconds: Now, on the clock of the events.
  /// - Returns: A summary of every session.
  /// [any-thread]
  public func status(atNanoseconds timeNanoseconds: UInt64) -> TowerStatus {
    let ducker = topDucker
    return TowerStatus(
      sessions: sessions.indices.map { entry($0, ducker, timeNanoseconds) },
      nowPlaying: nowPlaying,
      simulated: simulated,
      isServerRunning: isServerRunning,
    )
  }

  /// Whether any other session is heard (rule ACT-7).
  ///
  /// - Parameter id: The session that asks.
  /// - Returns: Whether one is.
  public func isOtherAudioPlaying(for id: SessionID) -> Bool {
    sessions.contains { $0.id != id && $0.isSounding }
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

  /// Whether a session is active without sound or I/O for long (rule ACT-8).
  private func isActiveButSilent(_ session: Session, _ now: UInt64) -> Bool {
    guard session.isActive else { return false }
    let since =
      session.isRunningIO ? session.silentSinceNanoseconds : session.changedAtNanoseconds
    guard let since, now > since else { return false }
    return now - since >= configuration.silentAfterNanoseconds
  }
}
