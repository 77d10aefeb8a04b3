// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import ControlProtocol
internal import GraphFiles
internal import Logging
internal import Mixing
internal import Sessions

extension Host {
  /// How often play positions are kept while files play.
  private static let positionsNanoseconds: UInt64 = 1_000_000_000

  /// Takes in what the last host of this name has kept.
  func restoreState() {
    guard let directory = configuration.stateDirectoryPath else {
      logger.notice("neither XDG_STATE_HOME nor HOME is a path: nothing is kept")
      return
    }
    let file = StateFile(directory: directory)
    var saved: KeptState?
    switch file.load() {
    case .nothing: break
    case .state(let state): saved = state
    case .setAside(let fault): publish(.error, fault)
    }
    if let saved { kept = saved }
    if configuration.startsFresh {
      // An answer of the user's is no setting of a run.
      kept = KeptState()
      kept.permissions = saved?.permissions ?? [:]
    }
    let logger = logger
    store = StateStore(file: file, saved: saved) { logger.error("\($0)") }
    tower.restore(permissions: kept.permissions, wishes: kept.wishes)
    restorePatches()
  }

  /// Begins the event log, where one is wanted.
  func openEventLog() throws(HostError) {
    guard let path = configuration.eventLogPath else { return }
    let logger = logger
    do throws(EventLogWriter.Fault) {
      tower.log = try EventLogWriter(path: path, start: tower.tower.state) { logger.error("\($0)") }
    } catch {
      throw HostError(.badGraph, "no event log: \(error)")
    }
  }

  /// Something that is kept has changed: it is in the file soon.
  func keepState() {
    store?.changed { [weak self] in await self?.stateToKeep() }
  }

  /// Puts the state in the file now, for the last time.
  func closeState() {
    guard let store else { return }
    if let state = stateToKeep() { store.flush(state) }
    self.store = nil
  }

  /// The mix to begin with: the graph's, and what users have changed of it.
  func startMix(channels: [String: Int], sampleRateHz: Double) -> MixSpec {
    let graph = MixBuilder.spec(
      of: configuration.graph,
      channels: channels,
      sampleRateHz: sampleRateHz,
    )
    graphMix = graph
    return kept.applied(to: graph)
  }

  /// Keeps play positions from time to time, where the graph asks for it.
  func keepPositions() {
    let now = HostClock.nowNanoseconds()
    guard now &- lastPositionsNanoseconds >= Self.positionsNanoseconds,
      configuration.graph.sources.contains(where: \.resumes)
    else { return }
    lastPositionsNanoseconds = now
    keepState()
  }

  /// The state as it is; nil once the host ends, when fades are no longer anybody's wish.
  private func stateToKeep() -> KeptState? {
    guard store != nil else { return nil }
    if let spec = mix?.engine.spec, let graphMix { kept.take(spec, graph: graphMix) }
    keepSessions()
    let state = tower.tower.state
    kept.wishes = state.keptPreferences
    kept.permissions = state.permissions.compactMapValues(KeptState.Permission.init)
    for (name, source) in bank?.generated ?? [] {
      guard case .file(let player) = source,
        configuration.graph.source(named: name)?.resumes == true
      else { continue }
      kept.positions[name] = player.hasEnded ? nil : player.positionSeconds
    }
    return kept
  }

  /// Keeps volumes and sessions of all programs that come and go.
  func keepSessions() {
    let strips = Dictionary((mix?.engine.spec.strips ?? []).map { ($0.id, $0) }) { first, _ in first
    }
    for (id, held) in tower.held { keep(held, id, strip: strips[held.ownStrip]) }
  }

  /// Keeps volume and session of a program that ends.
  func keep(_ held: HeldSession, _ id: SessionID) {
    keep(held, id, strip: mix?.engine.spec.strips.first { $0.id == held.ownStrip })
  }

  private func keep(_ held: HeldSession, _ id: SessionID, strip: StripSpec?) {
    switch held.owner {
    case .host, .source: return
    case .client, .connection: break
    }
    var app = kept.apps[held.keptName] ?? KeptApp()
    if held.ownsStrip, let strip {
      app.gainDB = strip.faderDB == held.startGainDB ? nil : strip.faderDB
      app.isMuted = strip.isMuted ? true : nil
    }
    if let session = tower.tower.state.session(id) {
      app.session = KeptSession(
        configuration: session.configuration,
        priorityClass: session.priorityClass,
        wasActive: session.isActive,
        isPaused: session.isPaused ? true : nil,
        isHeld: pausedPlayers[id] != nil && !session.isPaused ? true : nil,
      )
    }
    if let adopted = held.adopted {
      let placements = adopted.placements
      app.placements = placements.isEmpty ? nil : placements.mapValues { $0.sorted() }
      app.isPlacedByHand = adopted.isPlacedByHand ? true : nil
    }
    kept.apps[held.keptName] = app
  }
}

extension KeptState.Permission {
  /// An answer as it is kept; nil where nobody has answered.
  init?(_ permission: RecordPermission) {
    switch permission {
    case .undetermined: return nil
    case .denied: self = .denied
    case .granted: self = .granted
    }
  }

  /// The answer as the tower knows it.
  var recordPermission: RecordPermission {
    switch self {
    case .granted: .granted
    case .denied: .denied
    }
  }
}
