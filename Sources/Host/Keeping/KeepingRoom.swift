// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Glibc
internal import GraphFiles
internal import Logging
internal import Mixing
internal import Patchbay
internal import Sessions
internal import SystemSupport

/// The state that outlives the host: restores the state of the last host of this name, and keeps changes in a
/// file.
///
/// Belongs to the control thread.
final class KeepingRoom {
  /// The days since 1970.
  private static var today: Int { time(nil) / 86_400 }

  /// The interval of keeping play positions while files play.
  private static let positionsNanoseconds: UInt64 = 1_000_000_000

  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let place: StatePlace
  private let control: Control
  private let report: @Sendable (_ isUnsaved: Bool) -> Void
  private let snapshot: () -> KeepingSnapshot
  private var kept = KeptState()
  /// The path of the graph file to which the kept state belongs.
  private var graphPath: String?
  /// The file's writer; nil before ``restore()`` and after ``close()``.
  private var store: StateStore?
  /// The mix of the graph, before the changes of users.
  private var graphMix: MixSpec?
  private var positionsTakenNanoseconds: UInt64 = 0

  /// Makes a room without state; ``restore()`` reads it.
  ///
  /// - Parameters:
  ///   - place: The directory, and whether to start afresh.
  ///   - graph: The graph.
  ///   - control: The services that all rooms share.
  ///   - report: Receives whether there are unsaved changes of users, on change.
  ///   - snapshot: Gives the present values to keep.
  init(
    place: StatePlace,
    graph: GraphRoom,
    control: Control,
    report: @escaping @Sendable (_ isUnsaved: Bool) -> Void = { _ in },
    snapshot: @escaping () -> KeepingSnapshot,
  ) {
    inForce = graph
    self.place = place
    self.control = control
    self.report = report
    self.snapshot = snapshot
  }

  // MARK: - The file

  /// Reads the kept state of the last host of this name, and keeps changes from now on.
  ///
  /// A run that starts afresh restores only the answers of users, because answers are not settings of a run.
  func restore() {
    guard let directory = place.directory else {
      control.logger.notice("neither XDG_STATE_HOME nor HOME is a path: the state is not kept")
      return
    }
    let saved = open(directory)
    if place.startsFresh {
      kept.permissions = saved?.permissions ?? [:]
      kept.answeredFiles = saved?.answeredFiles ?? [:]
    } else if let saved {
      kept = saved
    }
  }

  /// Reads the file of the graph in force, and writes to it from now on.
  private func open(_ directory: String) -> KeptState? {
    graphPath = place.graphPath(graph)
    let file = StateFile(directory: directory, graph: graphPath)
    let found = file.load()
    for fault in found.faults { control.publish(.error(), fault) }
    let logger = control.logger
    store = StateStore(file: file, saved: found.state, report: report) { logger.error("\($0)") }
    return found.state
  }

  /// Goes over to the file of the graph in force, where that is another graph file.
  ///
  /// The present mix stays, and is kept with the new graph; the state of the one before stays as it was left.
  private func changeFile() {
    guard let directory = place.directory, let former = store, place.graphPath(graph) != graphPath
    else { return }
    former.write(kept)
    let saved = open(directory)
    kept.apps.merge(saved?.apps ?? [:]) { current, _ in current }
    kept.positions.merge(saved?.positions ?? [:]) { current, _ in current }
  }

  /// Writes the state soon, because a kept value has changed; many changes at once make one file.
  ///
  /// - Parameter isByUser: Whether the change counts as unsaved until it is written.
  func changed(isByUser: Bool = true) {
    guard let delay = store?.noteChange(isByUser: isByUser) else { return }
    control.task { [weak self, control] in
      // Wall time: how often the disk is written.
      await control.sleep(delay)
      guard let self, let state = stateToWrite() else { return }
      store?.write(state)
    }
  }

  /// Writes the state now, and waits until it is on the disk.
  ///
  /// - Throws: The path and the system's reason.
  func save() async throws(KeptFile.Fault) {
    guard let store, let state = stateToWrite() else { return }
    try await store.flushed(state)
  }

  /// Writes the state for the last time, because the host ends; later fades are not a user's settings.
  func close() {
    guard let store, let state = stateToWrite() else { return }
    store.flush(state)
    self.store = nil
  }

  /// Keeps play positions at intervals, if the graph asks for that.
  func keepPositions() {
    let now = control.nowNanoseconds
    guard now &- positionsTakenNanoseconds >= Self.positionsNanoseconds,
      graph.sources.contains(where: \.resumes)
    else { return }
    positionsTakenNanoseconds = now
    changed(isByUser: false)
  }

  /// The present state; nil once the room is closed.
  private func stateToWrite() -> KeptState? {
    guard store != nil else { return nil }
    take(snapshot())
    return kept
  }

  private func take(_ snapshot: KeepingSnapshot) {
    if let spec = snapshot.spec, let graphMix { kept.take(spec, graph: graphMix) }
    for program in snapshot.programs { kept.take(program) }
    kept.preferences = snapshot.preferences
    kept.permissions = snapshot.permissions.compactMapValues(KeptState.Permission.init)
    kept.answeredFiles = snapshot.answeredFiles
    kept.note(present: snapshot.programs.map(\.name), today: Self.today)
    for (source, seconds) in snapshot.positions
    where graph.source(named: source)?.resumes == true {
      kept.positions[source] = seconds
    }
  }

  // MARK: - What was kept

  /// The answers of users, by program (PRM-1).
  var permissions: [String: RecordPermission] { kept.permissions.mapValues(\.recordPermission) }

  /// The files that the answers for paths mean, by path (PRM-2).
  var answeredFiles: [String: FileIdentity] { kept.answeredFiles }

  /// The hardware preferences of programs, by their sessions' names (SES-6).
  var preferences: [String: HardwarePreferences] { kept.preferences }

  /// The positions at which file sources begin, in seconds, by source.
  var positions: [String: Double] { kept.positions }

  /// The kept values of a program; nil for an unknown one.
  func app(_ keptName: String) -> KeptApp? { kept.apps[keptName] }

  /// Gives an instance of a program a name for its values; as ``KeptState/name(_:)``.
  func name(_ claim: InstanceClaim) -> String { kept.name(claim) }

  /// The first mix: the graph's, with the changes of users.
  func startMix(channels: [String: Int], sampleRateHz: Double) -> MixSpec {
    let mix = MixBuilder.spec(of: graph, channels: channels, sampleRateHz: sampleRateHz)
    let start = kept.applied(to: mix)
    if graphMix == nil { tellKept(from: mix, to: start) }
    graphMix = mix
    return start
  }

  private func tellKept(from graph: MixSpec, to start: MixSpec) {
    let words = kept.words(from: graph, to: start)
    guard !words.isEmpty else { return }
    control.publish(
      .mixChanged(.kept),
      "kept from the last run: \(words.joined(separator: ", ")); --fresh forgets",
    )
  }

  /// Compares with the mix of another version of the graph from now on.
  func takeMix(_ mix: MixSpec) {
    changeFile()
    graphMix = mix
    changed(isByUser: false)
  }

  /// Keeps the values of programs that end; the file is written later.
  func keep(_ programs: [ProgramSnapshot]) {
    for program in programs { kept.take(program) }
  }

  // MARK: - Patches

  /// Connections without a server, with users' patches if the graph keeps them.
  var startConnections: ConnectionKeeper {
    var connections = ConnectionKeeper(keepsPatches: graph.keepsPatches)
    if graph.keepsPatches {
      connections.restore(madeByHand: kept.patchesMade, takenAway: kept.patchesTakenAway)
    }
    return connections
  }

  /// Keeps users' patches if the graph asks for that.
  func keep(_ patches: UserPatches) {
    guard graph.keepsPatches,
      patches.made != kept.patchesMade || patches.takenAway != kept.patchesTakenAway
    else { return }
    kept.patchesMade = patches.made
    kept.patchesTakenAway = patches.takenAway
    changed()
  }

  /// The patches of users for `status`.
  func statuses(of patches: UserPatches) -> [PatchStatus] {
    [(patches.made, true), (patches.takenAway, false)].flatMap { pairs, isMade in
      pairs.sorted().map { pair in
        PatchStatus(
          source: pair.source,
          destination: pair.destination,
          made: isMade,
          kept: graph.keepsPatches,
        )
      }
    }
  }
}

/// The values of a running host that outlive it.
///
/// Pure value: [any-thread].
struct KeepingSnapshot: Sendable {
  /// The present mix; nil before the first attachment.
  var spec: MixSpec?
  /// The programs that have sessions.
  var programs: [ProgramSnapshot] = []
  /// The hardware preferences of programs, by their sessions' names.
  var preferences: [String: HardwarePreferences] = [:]
  /// The answers of users, by program.
  var permissions: [String: RecordPermission] = [:]
  /// The files that the answers for paths mean, by path.
  var answeredFiles: [String: FileIdentity] = [:]
  /// The positions of file sources in seconds; nil for a source that has played to its end.
  var positions: [String: Double?] = [:]
}

/// The values of a program that outlive the host.
///
/// Pure value: [any-thread].
struct ProgramSnapshot: Sendable {
  /// The values of a program's own strip.
  struct Level: Sendable {
    let gainDB: Double
    let isMuted: Bool
    /// The levels with which the strip starts if no user moves it.
    var start = GraphFile.StartLevels()
    var pan: Double?
    /// Nil where it is as the graph has it.
    var isCued: Bool?
    /// The levels of its sends, by route.
    var sends: [String: GraphFile.SendLevel] = [:]
  }

  /// The places at which an adopted client is heard.
  struct Placement: Sendable {
    /// The hardware ports, by the short name of each output.
    let placements: [String: Set<String>]
    /// Whether its user, and not the program itself, chose them.
    let isByHand: Bool
  }

  /// The name under which its values are kept.
  let name: String
  /// Nil without a strip of its own; the kept level stays then.
  var level: Level?
  /// Nil without a session; the kept session stays then.
  var session: KeptSession?
  /// Nil for a program that is not adopted.
  var placement: Placement?
}

extension KeptState {
  /// Takes in the values of a program.
  mutating func take(_ program: ProgramSnapshot) {
    var app = apps[program.name] ?? KeptApp()
    if let level = program.level {
      app.take(level)
    }
    if let session = program.session { app.session = session }
    if let placement = program.placement {
      let placements = placement.placements
      app.placements = placements.isEmpty ? nil : placements.mapValues { $0.sorted() }
      app.isPlacedByHand = placement.isByHand ? true : nil
    }
    apps[program.name] = app
  }
}

extension KeptState.Permission {
  /// The kept form of an answer; nil without an answer. [any-thread]
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
