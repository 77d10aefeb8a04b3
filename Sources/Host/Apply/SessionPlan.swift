// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Sessions

/// The changes of sessions that another version of the graph makes: the tower's own decisions, on a copy of its state.
///
/// Pure value: [any-thread].
struct SessionPlan {
  /// A session of the host with its names, and the rules of the two versions for an adopted client.
  struct Known: Sendable {
    let id: SessionID
    let name: String
    let app: String
    let owner: HeldSession.Owner
    /// The session that the new version's rule gives the client; nil for one that is left alone, and for other owners.
    var adopted: GraphFile.AppSession?
  }

  private let old: GraphFile
  private let new: GraphFile
  private let sessions: [Known]
  private let before: TowerState
  private(set) var changes: [GraphPlan.SessionChange] = []
  /// The state of the tower once the version is in force, without the sessions that it opens.
  let after: TowerState

  /// Runs the tower.
  ///
  /// - Parameters:
  ///   - old: The graph in force.
  ///   - new: The graph that follows it.
  ///   - renamed: The sources with another name, old to new.
  ///   - settings: The tower's settings that follow.
  ///   - sessions: The sessions, by age.
  ///   - state: The facts of the tower.
  ///   - sampleRateHz: The rate of the server.
  init(
    from old: GraphFile,
    to new: GraphFile,
    renamed: [String: String],
    settings: TowerConfiguration,
    sessions: [Known],
    state: TowerState,
    sampleRateHz: Int,
  ) {
    self.old = old
    self.new = new
    self.sessions = sessions
    before = state
    var tower = Tower(state: state)
    var ended: Set<SessionID> = []
    var step = Stepper()
    step.take(.configurationChanged(configuration: settings), in: &tower)
    for known in sessions {
      switch known.owner {
      case .host:
        // A combination that the tower refuses is refused with the version.
        let requests = try? new.hostRequests(after: old, sampleRateHz: sampleRateHz)
        for request in requests ?? [] { step.ask(known.id, request, in: &tower) }
      case .source:
        let name = renamed[known.name] ?? known.name
        guard let session = new.source(named: name)?.session else {
          ended.insert(known.id)
          step.take(.sessionClosed(session: known.id, cause: .closed), in: &tower)
          continue
        }
        step.configure(known.id, session, app: name, in: &tower)
      case .client:
        guard let session = known.adopted else {
          ended.insert(known.id)
          step.take(.sessionClosed(session: known.id, cause: .closed), in: &tower)
          continue
        }
        step.configure(known.id, session, app: known.app, in: &tower)
      case .connection: break
      }
    }
    after = tower.state
    for known in sessions {
      if ended.contains(known.id) {
        let reason =
          known.owner == .source
          ? "its source has no session of its own any more" : "no rule adopts its client any more"
        add(known, .ends, reason)
      } else {
        compare(known, after)
      }
    }
    openNew(renamed)
  }

  /// The sessions of sources that have one in the new version alone.
  private mutating func openNew(_ renamed: [String: String]) {
    let there = Set(sessions.filter { $0.owner == .source }.map { renamed[$0.name] ?? $0.name })
    for source in new.sources where source.session != nil && !there.contains(source.name) {
      changes.append(
        GraphPlan.SessionChange(
          session: source.name,
          app: source.name,
          effect: .opens,
          reason: "its source has a session of its own",
        )
      )
    }
  }

  private mutating func add(
    _ known: Known,
    _ effect: GraphPlan.SessionChange.Effect,
    _ reason: String,
  ) {
    changes.append(
      GraphPlan.SessionChange(session: known.name, app: known.app, effect: effect, reason: reason)
    )
  }

  private mutating func compare(_ known: Known, _ after: TowerState) {
    guard let old = before.session(known.id), let new = after.session(known.id) else { return }
    if old.interruption == nil, let interruption = new.interruption {
      add(known, .interrupted, "by rule \(interruption.rule.name)")
    } else if old.interruption != nil, new.interruption == nil {
      add(known, .resumes, "nothing interrupts it any more")
    } else if old.isSounding != new.isSounding {
      add(known, new.isSounding ? .heard : .silenced, "its settings decide so")
    }
    if new.duckGainDB != old.duckGainDB {
      add(
        known,
        new.duckGainDB == 0 ? .restored : .ducked,
        new.duckGainDB == 0
          ? "nothing lowers it any more" : "to \(new.duckGainDB.graphText) dB (\(RuleID.act3.name))",
      )
    }
    let mayRecord = (
      old: before.permission(of: known.app) == .granted,
      new: after.permission(of: known.app) == .granted
    )
    guard new.configuration.category.hasInput else { return }
    if mayRecord.old, !mayRecord.new {
      add(known, .losesRecording, "its permission is \(after.permission(of: known.app).name) now")
    } else if !mayRecord.old, mayRecord.new {
      add(known, .mayRecord, "its permission is granted now")
    }
  }
}

/// Gives a copy of the tower events, all at the time of its newest fact.
///
/// Pure value: [any-thread].
private struct Stepper {
  /// A number that no request of the host has.
  private var lastRequest = UInt64.max / 2

  mutating func take(_ kind: TowerEvent.Kind, in tower: inout Tower) {
    _ = tower.step(TowerEvent(timeNanoseconds: tower.state.newestNanoseconds, kind))
  }

  mutating func configure(
    _ id: SessionID,
    _ session: GraphFile.AppSession,
    app: String,
    in tower: inout Tower,
  ) {
    guard let description = try? session.description(app: app, isAdopted: true) else { return }
    let configuration = description.configuration
    guard configuration != tower.state.session(id)?.configuration else { return }
    ask(
      id,
      .configure(
        category: configuration.category,
        mode: configuration.mode,
        policy: .default,
        options: configuration.options,
      ),
      in: &tower
    )
  }

  mutating func ask(_ id: SessionID, _ request: SessionRequest, in tower: inout Tower) {
    lastRequest += 1
    take(
      .request(id: RequestID(rawValue: lastRequest), session: id, request: request),
      in: &tower
    )
  }
}

extension TowerState {
  /// The time of the newest change of a session. [any-thread]
  fileprivate var newestNanoseconds: UInt64 { sessions.map(\.changedAtNanoseconds).max() ?? 0 }
}
