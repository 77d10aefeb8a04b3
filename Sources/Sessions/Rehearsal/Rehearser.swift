// SPDX-License-Identifier: MIT

/// Runs the tower over recorded events with another policy than the recorded one.
///
/// The settings of the log are replaced by the policy's, and so are the sessions that a graph gives: the host's own, its
/// sources' and those of adopted clients. Sessions and requests of apps stay as recorded, and so do users' answers.
/// With the policy that was recorded the tower does what it did. Pure value: [any-thread].
public struct Rehearser: Sendable {
  private let policy: RehearsedPolicy
  private var tower: Tower
  /// The tower as it was when the log was recorded.
  private var original: Tower
  /// The settings with which the log begins, and those that it has now.
  private let firstRecorded: TowerConfiguration
  private var recorded: TowerConfiguration
  /// The sessions that the policy gives, as they were recorded.
  private var given: [SessionID: Given] = [:]
  /// The sessions of clients that the policy leaves alone, by name.
  private var leftAlone: [SessionID: String] = [:]
  private var names: [SessionID: String] = [:]
  /// The sessions whose audio ran by the host's last report: their ports are connected, or their program says so.
  private var running: Set<SessionID> = []

  private struct Given {
    var recorded: SessionDescription
    var isPrompt: Bool
  }

  /// Begins where a log begins.
  ///
  /// - Parameters:
  ///   - policy: The policy to rehearse.
  ///   - start: The state before the first event; its settings are replaced.
  public init(policy: RehearsedPolicy, start: TowerState) {
    self.policy = policy
    firstRecorded = start.configuration
    recorded = start.configuration
    original = Tower(state: start)
    var state = start
    state.configuration = policy.configuration
    tower = Tower(state: state)
    for session in state.sessions { name(session.id, session.app) }
    running = Set(state.sessions.filter(\.isRunningIO).map(\.id))
  }

  /// The tower's present state.
  public var state: TowerState { tower.state }

  /// Takes one event of the log.
  ///
  /// - Parameter event: The event, as it was recorded.
  /// - Returns: The decisions that follow from it.
  public mutating func take(_ event: TowerEvent) -> [Decision] {
    let kinds = rehearsed(event)
    note(event.kind)
    let recorded = original.step(event)
    var effects = kinds.flatMap { step($0, at: event.timeNanoseconds) }
    if case .request(let request, let id, .activate) = event.kind, !effects.isRefused(request) {
      effects += followUps(of: id, wasRefused: recorded.isRefused(request))
        .flatMap { step($0, at: event.timeNanoseconds) }
    }
    return effects.compactMap { if case .log(let decision) = $0 { decision } else { nil } }
  }

  private mutating func step(_ kind: TowerEvent.Kind, at nanoseconds: UInt64) -> [TowerEffect] {
    tower.step(TowerEvent(timeNanoseconds: nanoseconds, kind))
  }

  /// Notes a report of the recorded host about running audio.
  private mutating func note(_ kind: TowerEvent.Kind) {
    switch kind {
    case .ioStarted(let id): running.insert(id)
    case .ioStopped(let id), .sessionClosed(let id, _): running.remove(id)
    case .serverLost: running.removeAll()
    default: break
    }
  }

  /// The reports that a host makes after an activation, and that the recorded one had no reason for: a player is no longer
  /// paused, and audio that the tower had stopped still runs.
  ///
  /// - Parameters:
  ///   - id: The session.
  ///   - wasRefused: Whether the recorded host refused the activation, and so reported nothing.
  /// - Returns: The reports.
  private func followUps(of id: SessionID, wasRefused: Bool) -> [TowerEvent.Kind] {
    guard let own = tower.state.session(id), let other = original.state.session(id) else {
      return []
    }
    let resumes = own.isPaused && (wasRefused || !other.isPaused)
    let runs = !own.isRunningIO && running.contains(id) && (wasRefused || other.isRunningIO)
    return (resumes ? [.playerResumed(session: id)] : []) + (runs ? [.ioStarted(session: id)] : [])
  }

  /// The name of a session, which no other one has: `host` for the host's own, else its app's, with a number where several
  /// have it.
  ///
  /// - Parameter id: The session.
  /// - Returns: The name; the number of a session that is not there.
  public func name(of id: SessionID) -> String { names[id] ?? id.description }

  /// How every session is heard now, in order of their names.
  public var standings: [Standing] {
    let tower = tower.state.sessions.map { self.tower.state.standing(of: $0, named: names) }
    let alone = leftAlone.map { Standing(name: name(of: $0.key), app: $0.value, state: .leftAlone) }
    return (tower + alone).sorted { $0.name < $1.name }
  }

  // MARK: - The events of the policy

  private mutating func rehearsed(_ event: TowerEvent) -> [TowerEvent.Kind] {
    switch event.kind {
    case .sessionOpened(let request, let id, let description):
      return open(id, description, request)
    case .configurationChanged(let configuration):
      recorded = configuration
      return settle()
    case .sessionClosed(let id, _):
      given[id] = nil
      return leftAlone.removeValue(forKey: id) == nil ? [event.kind] : []
    case .serverLost:
      // The clients of the server are gone with it (RST-2).
      leftAlone.removeAll()
      return [event.kind]
    default:
      guard let id = event.kind.session else { return [event.kind] }
      if leftAlone[id] != nil { return [] }
      return given[id].map { take(event.kind, of: id, $0) } ?? [event.kind]
    }
  }

  private mutating func open(
    _ id: SessionID,
    _ description: SessionDescription,
    _ request: RequestID?,
  ) -> [TowerEvent.Kind] {
    if tower.state.index(of: id) == nil {
      name(id, description.origin == .host ? "host" : description.app)
    }
    guard let own = policy.description(of: description) else {
      leftAlone[id] = description.app
      return []
    }
    let opened = TowerEvent.Kind.sessionOpened(request: request, session: id, description: own)
    guard description.origin != nil else { return [opened] }
    given[id] = Given(recorded: description, isPrompt: own.isPrompt)
    return settle(with: own) + [opened]
  }

  /// The events for a session that the policy gives.
  private mutating func take(
    _ kind: TowerEvent.Kind,
    of id: SessionID,
    _ session: Given,
  ) -> [TowerEvent.Kind] {
    let wasPrompt = session.recorded.isPrompt
    switch kind {
    case .traitsChanged(_, let traits):
      given[id]?.recorded.traits = traits
      let own = tower.state.session(id)?.traits ?? traits
      return [
        .traitsChanged(session: id, traits: own.taking(from: session.recorded.traits, to: traits))
      ]
    // The host listens for the sounds of prompts alone (ACT-9); of others it reports the level.
    case .audioLevelChanged(_, let isSilent) where session.isPrompt && !wasPrompt:
      return [kind, isSilent ? .soundEnded(session: id) : .soundBegan(session: id)]
    default:
      return [kind]
    }
  }

  // MARK: - The policy's settings

  /// The change of the settings by what the graph gives to its sessions, as the host makes it (ACT-4, PRM-1).
  private mutating func settle(with opened: SessionDescription? = nil) -> [TowerEvent.Kind] {
    var settings = tower.state.configuration
    settings.permissions = policy.configuration.permissions
    for session in given.values { permit(session.recorded, in: &settings) }
    if let opened { settings.priorityClasses[opened.app] = opened.priorityClass }
    return settings == tower.state.configuration
      ? [] : [.configurationChanged(configuration: settings)]
  }

  private func permit(_ session: SessionDescription, in settings: inout TowerConfiguration) {
    guard case .client = session.origin else {
      // The graph itself asks for these.
      settings.permissions[session.app] = .granted
      return
    }
    let names = session.programNames
    let present = recorded.permissions[session.app]
    // A permission that the recorded graph does not give is a user's answer.
    let isAnswer = present != RehearsedPolicy.permission(of: names, by: firstRecorded)
    settings.permissions[session.app] =
      isAnswer && present != nil
      ? present : RehearsedPolicy.permission(of: names, by: policy.configuration)
  }

  private mutating func name(_ id: SessionID, _ app: String) {
    names = names.filter { tower.state.index(of: $0.key) != nil || leftAlone[$0.key] != nil }
    let taken = Set(names.values)
    var name = app
    var number = 2
    while taken.contains(name) {
      name = "\(app)-\(number)"
      number += 1
    }
    names[id] = name
  }
}

extension [TowerEffect] {
  /// Whether a request is refused among these effects.
  fileprivate func isRefused(_ request: RequestID) -> Bool {
    contains { if case .reply(request, .refused) = $0 { true } else { false } }
  }
}

extension SessionDescription {
  /// Whether it is active only while its client sounds (rule ACT-9).
  var isPrompt: Bool { isAdopted && traits.isActiveWhileSounding }
}
