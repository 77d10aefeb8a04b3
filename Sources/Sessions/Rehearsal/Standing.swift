// SPDX-License-Identifier: MIT

/// How one session is heard at one moment, and why.
///
/// Pure value: [any-thread].
public struct Standing: Hashable, Sendable {
  /// How a session is heard.
  public enum State: String, CaseIterable, Codable, WireNamed {
    /// In full.
    case heard
    /// Lowered by another session.
    case lowered
    /// Not at all, because another session has priority.
    case interrupted
    /// Not at all, for another reason, though it is active.
    case silent
    /// Not at all, because it is not active.
    case inactive
    /// As it connects itself: the policy gives it no session.
    case leftAlone
  }

  /// Its name among all sessions.
  public let name: String
  /// The program.
  public let app: String
  /// How it is heard.
  public let state: State
  /// Whether it is active.
  public let isActive: Bool
  /// Its interrupters, oldest first.
  public let interruptedBy: [Interrupter]
  /// The names of the sessions among the interrupters, else their phrases.
  public let interruptedByNames: [String]
  /// The name of the session that lowers it.
  public let duckedBy: String?
  /// Its duck gain in dB; 0 when it is not lowered.
  public let duckGainDB: Double
  /// The reason, in a few words; nil where the state says it.
  public let reason: String?
  /// The rule; nil for a client that is left alone.
  public let rule: RuleID?

  init(
    name: String,
    app: String,
    state: State,
    isActive: Bool = false,
    interruptedBy: [Interrupter] = [],
    interruptedByNames: [String] = [],
    duckedBy: String? = nil,
    duckGainDB: Double = 0,
    reason: String? = nil,
    rule: RuleID? = nil,
  ) {
    self.name = name
    self.app = app
    self.state = state
    self.isActive = isActive
    self.interruptedBy = interruptedBy
    self.interruptedByNames = interruptedByNames
    self.duckedBy = duckedBy
    self.duckGainDB = duckGainDB
    self.reason = reason
    self.rule = rule
  }

  /// The state with its reason, in a few words: `lowered by say (-14 dB)`.
  public var phrase: String {
    switch state {
    case .heard: "heard"
    case .lowered: "lowered by \(duckedBy ?? "another session") (\(Self.decibels(duckGainDB)) dB)"
    case .interrupted: "interrupted by \(interruptedByNames.joined(separator: " and "))"
    case .silent: "silent: \(reason ?? "nothing is played")"
    case .inactive: "inactive"
    case .leftAlone: "left alone"
    }
  }

  /// Whether a person hears a difference between this and another moment, or would be told another reason.
  func isLike(_ other: Standing?) -> Bool { phrase == other?.phrase && rule == other?.rule }

  private static func decibels(_ gainDB: Double) -> String {
    gainDB.rounded() == gainDB && abs(gainDB) < 1_000 ? "\(Int(gainDB))" : "\(gainDB)"
  }
}

extension TowerState {
  /// How a session is heard.
  func standing(of session: Session, named names: [SessionID: String]) -> Standing {
    func name(_ id: SessionID) -> String { names[id] ?? id.description }
    let interrupters = session.interruption?.interrupters ?? []
    let ducker = session.duckGainDB == 0 ? nil : topDucker.map { sessions[$0].id }
    let (state, reason) = level(of: session)
    return Standing(
      name: name(session.id),
      app: session.app,
      state: state,
      isActive: session.isActive,
      interruptedBy: interrupters,
      interruptedByNames: interrupters.map { $0.session.map(name) ?? $0.phrase },
      duckedBy: ducker.map(name),
      duckGainDB: session.duckGainDB,
      reason: reason,
      rule: explanation(of: session.id)?.rule,
    )
  }

  private func level(of session: Session) -> (state: Standing.State, reason: String?) {
    guard let index = index(of: session.id) else { return (.inactive, nil) }
    if session.isWaitingForSound { return (.silent, "it waits for its next sound") }
    let category = session.configuration.category
    let isInputOnly = !category.hasOutput && category.hasInput
    switch isInputOnly ? captureSilence(index) : outputSilence(index) {
    case .interrupted: return (.interrupted, nil)
    case .inactive: return (.inactive, nil)
    case .some(let silence): return (.silent, silence.phrase)
    case nil: break
    }
    if session.duckGainDB != 0 { return (.lowered, nil) }
    if !session.isRunningIO { return (.silent, "its audio does not run") }
    return session.silentSinceNanoseconds == nil ? (.heard, nil) : (.silent, "it sends silence")
  }
}
