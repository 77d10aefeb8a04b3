// SPDX-License-Identifier: MIT

extension TowerState {
  /// The state as people want it.
  ///
  /// - Parameter timeNanoseconds: Now, on the clock of the events.
  /// - Returns: A summary of every session.
  public func status(atNanoseconds timeNanoseconds: UInt64) -> TowerStatus {
    fatalError("unwritten")
  }

  /// Why a session is heard, low or silent, and what would change it; nil for unknown sessions.
  ///
  /// - Parameter id: The session.
  /// - Returns: The explanation, or nil.
  public func explanation(of id: SessionID) -> Explanation? {
    fatalError("unwritten")
  }

  /// What a session wished for and what it got; nil for unknown sessions (rule HW-3).
  ///
  /// - Parameter id: The session.
  /// - Returns: The report, or nil.
  public func hardwareReport(of id: SessionID) -> HardwareReport? {
    fatalError("unwritten")
  }

  /// Whether any other session is heard (rule ACT-7).
  ///
  /// - Parameter id: The session that asks.
  /// - Returns: Whether one is.
  public func isOtherAudioPlaying(for id: SessionID) -> Bool {
    sessions.contains { $0.id != id && $0.isSounding }
  }
}
