// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Patchbay
internal import Sessions

/// The change of a running host to another version of its graph.
///
/// First comes everything that can fail, and is undone then: files, ports, names. After that the parts that are patched
/// anew fade out, the rooms go over to the version in one turn of the control thread, and what is gone leaves when it has faded
/// out.
///
/// Belongs to the control thread.
struct VersionChange {
  /// The interval of checking whether the audio thread has come to an end with something.
  private static let check = Duration.milliseconds(2)
  /// The longest wait for that, which takes a few cycles.
  private static let patienceNanoseconds: UInt64 = 2_000_000_000

  /// The cycles after which a connection that JACK has accepted is heard.
  static let connectCycles: UInt64 = 4

  private let rooms: Rooms
  /// The version that is in force, with the names of the next one.
  private let before: GraphFile
  private let next: GraphFile
  private let renames: PortRenames
  /// The version that is in force.
  private let original: GraphFile

  /// Makes the change to a graph with these differences to the one in force.
  init(_ rooms: Rooms, to next: GraphFile, _ difference: GraphDifference) {
    self.rooms = rooms
    self.next = next
    let present = rooms.graph
    renames = PortRenames(
      strips: difference.renamedSources,
      routes: difference.renamedRoutes,
    )
    original = present
    before = present.renamed(sources: renames.strips, routes: renames.routes)
  }

  /// Brings the next version into force.
  ///
  /// - Throws: ``HostError``; nothing has changed then.
  func carryOut() async throws(HostError) {
    try checkIdentity()
    guard let attachment = rooms.control.attachment else {
      throw HostError(
        .noServer,
        "the host is not attached to its JACK server now; apply the graph again when it is",
      )
    }
    guard await wait(on: attachment, until: { attachment.versions.collectRemoved() }) else {
      throw HostError(.jack, "the JACK server does not play what was changed before")
    }
    let bank = try rooms.sources.prepare(
      next,
      after: before,
      renaming: renames.strips,
      positions: rooms.keeping.positions,
      sampleRateHz: Double(rooms.hardware.sampleRateHz),
    )
    try checkSessions()
    try checkMix(bank, on: attachment)
    try rename(renames, to: before, on: attachment)
    let former = attachment.spec
    do {
      guard rooms.control.attachment === attachment else { throw HostError.serverWent }
      try attachment.versions.prepare(
        PortLayout(mix(with: bank, present: former), bank: bank, graph: next)
      )
      try await silenceRewired(on: attachment)
    } catch {
      try undo(on: attachment)
      throw HostError(error)
    }
    let spec = commit(bank, after: former, on: attachment)
    await raise(spec, on: attachment)
    await leave(bank, on: attachment)
  }

  // MARK: - Before anything is heard

  /// Refuses what a running host cannot change.
  private func checkIdentity() throws(HostError) {
    let present = rooms.graph
    guard next.name == present.name, next.managedName == present.managedName else {
      throw HostError(
        .badGraph,
        "\(next.path): name: the running host is '\(present.name)', and its socket and its kept state have that name; "
          + "stop it and start the graph of '\(next.name)'",
      )
    }
    guard next.server == present.server else {
      throw HostError(
        .badGraph,
        "\(next.path): server: the host runs on a server with other settings; "
          + "stop it and start it with this graph",
      )
    }
    if let place = fixedPart {
      throw HostError(
        .badGraph,
        "\(next.path): \(place) cannot change while the host runs; stop it and start it with this graph",
      )
    }
  }

  /// A part in which the versions differ, and that a running host cannot change; nil without any.
  private var fixedPart: String? {
    if before.controllers != next.controllers || before.hearsControllers != next.hearsControllers {
      return "controls: the MIDI controllers"
    }
    if before.surfaces != next.surfaces { return "surfaces: these" }
    if before.nodeSources != next.nodeSources { return "sources: a node as a source" }
    return nil
  }

  private func checkSessions() throws(HostError) {
    let refusal = rooms.sessions.refusal(
      of: next,
      after: before,
      sampleRateHz: rooms.hardware.sampleRateHz,
    )
    if let refusal { throw HostError(.badGraph, "\(next.path): session: \(refusal)") }
    for source in next.sources {
      do throws(SessionError) {
        _ = try source.session?.description(app: source.name, isAdopted: true)
      } catch {
        throw HostError(.badGraph, "\(next.path): source '\(source.name)': session: \(error)")
      }
    }
  }

  private func checkMix(_ bank: SourceBank, on attachment: Attachment) throws(HostError) {
    do throws(MixError) {
      try mix(
        with: bank,
        present: attachment.spec.renamed(strips: renames.strips, routes: renames.routes),
      ).validate()
    } catch {
      throw HostError(.badGraph, "\(next.path): \(error)")
    }
  }

  /// Gives sources and routes other names, which nobody hears: ports, engine, connections and rooms together.
  private func rename(
    _ renames: PortRenames,
    to graph: GraphFile,
    on attachment: Attachment,
  ) throws(HostError) {
    guard !renames.isEmpty else { return }
    rooms.parameters.tellNow()
    let former = rooms.graph
    let names: [String: String]
    do throws(JACKError) {
      names = try attachment.versions.rename(renames)
    } catch {
      throw HostError(.jack, "\(next.path): was: \(error)")
    }
    rooms.inForce.rename(to: graph)
    rooms.sources.rename(renames.strips)
    attachment.versions.take(
      version: version(of: graph, after: former, names: names, on: attachment)
    )
    rooms.rename(renames)
    rooms.takeKeptMix()
  }

  private func undo(on attachment: Attachment) throws(HostError) {
    guard rooms.control.attachment === attachment else { return }
    attachment.versions.discard()
    guard !renames.isEmpty else { return }
    try rename(renames.inverted, to: original, on: attachment)
  }

  // MARK: - What is heard

  /// The mix that follows, from the present one.
  private func mix(with bank: SourceBank, present: MixSpec) -> MixSpec {
    let rate = Double(rooms.hardware.sampleRateHz)
    let then = Dictionary(present.strips.map { ($0.id, $0.channels) }) { first, _ in first }
    var gates: [String: MixChange.Levels] = [:]
    for source in next.sources {
      let former = before.source(named: source.name)
      if source.session == nil, former.map({ $0.session != nil }) ?? true {
        gates[source.name] = rooms.sessions.hostLevels
      } else if source.session != former?.session {
        gates[source.name] = MixChange.Levels(isGated: true)
      }
    }
    let controls = rooms.sessions.namedStrips.map { strip, name in
      (strip, (before: before.controls(of: name), after: next.controls(of: name)))
    }
    return MixChange(
      present,
      from: MixBuilder.spec(of: before, channels: then, sampleRateHz: rate),
      to: MixBuilder.spec(of: next, channels: bank.channels, sampleRateHz: rate),
      gates: gates,
      controls: Dictionary(controls) { first, _ in first },
    ).spec
  }

  /// The sources that are fed anew: they are silent while they are patched.
  private var rewiredStrips: Set<String> {
    Set(
      next.sources.filter { source in
        guard let former = before.source(named: source.name) else { return false }
        if case .inputRoute(let name) = source.kind,
          before.route(named: name)?.ports != next.route(named: name)?.ports
        {
          return true
        }
        return former.kind != source.kind || former.channels != source.channels
      }.map(\.name)
    )
  }

  /// The routes that are heard at other ports: they are silent while they are patched.
  private var rewiredRoutes: Set<String> {
    Set(
      next.outputRoutes.filter { route in
        guard let former = before.route(named: route.name) else { return false }
        return former.direction == .output
          && (former.ports != route.ports || former.helper != route.helper)
      }.map(\.name)
    )
  }

  /// Fades out what is patched anew, and returns when it is silent.
  private func silenceRewired(on attachment: Attachment) async throws {
    let (strips, routes) = (rewiredStrips, rewiredRoutes)
    guard !strips.isEmpty || !routes.isEmpty else { return }
    let spec = attachment.spec
    try attachment.engine.apply(MixChange.silence(strips: strips, routes: routes, in: spec))
    let isSilent = await wait(on: attachment) {
      attachment.engine.areSilent(strips: strips, routes: routes)
    }
    guard rooms.control.attachment === attachment else {
      throw HostError.serverWent
    }
    guard isSilent else {
      try attachment.engine.apply(spec)
      throw HostError(.jack, "the JACK server does not play; the version before stays in force")
    }
  }

  // MARK: - In force

  /// Goes over to the version, in one turn of the control thread.
  ///
  /// - Parameters:
  ///   - bank: Its sources.
  ///   - former: The mix before parts of it were silenced.
  ///   - attachment: The host on its server.
  /// - Returns: The mix to have; what is connected anew is silent in the present one.
  private func commit(
    _ bank: SourceBank,
    after former: MixSpec,
    on attachment: Attachment,
  ) -> MixSpec {
    let last = rooms.sources.present
    rooms.sessions.endSources(of: before, unlike: next)
    let present = attachment.spec.restoring(
      strips: rewiredStrips,
      routes: rewiredRoutes,
      of: former,
    )
    let spec = mix(with: bank, present: present)
    let layout = PortLayout(spec, bank: bank, graph: next)
    rooms.inForce.take(next)
    rooms.sources.take(bank)
    attachment.versions.play(bank.with(leaving: last))
    do throws(MixError) {
      let silent = MixChange.silence(strips: connectedStrips, routes: connectedRoutes, in: spec)
      try attachment.versions.take(layout, silent) {
        version(of: next, after: before, names: [:], on: attachment)
      }
    } catch {
      rooms.control.publish(.error(), "the mix of \(next.path) is refused: \(error)")
    }
    attachment.takeAvailability(of: next)
    attachment.connections.watchInputs(of: next, insteadOf: before)
    attachment.versions.describe(
      strips: relabeled(next.sources.map { ($0.name, $0.label) }) {
        before.source(named: $0)?.label
      },
      routes: relabeled(next.outputRoutes.map { ($0.name, $0.label) }) {
        before.route(named: $0)?.label
      },
    )
    rooms.takeKeptMix()
    rooms.take(insteadOf: before, renaming: renames)
    attachment.latencies.restate()
    return spec
  }

  /// The strips with new connections.
  private var connectedStrips: Set<String> {
    rewiredStrips.union(next.sources.map(\.name).filter { before.source(named: $0) == nil })
  }

  /// The routes with new connections.
  private var connectedRoutes: Set<String> {
    rewiredRoutes.union(next.outputRoutes.map(\.name).filter { before.route(named: $0) == nil })
  }

  /// Fades in what is connected anew, once JACK's cycles have the connections: it would begin with a click before.
  private func raise(_ spec: MixSpec, on attachment: Attachment) async {
    let (strips, routes) = (connectedStrips, connectedRoutes)
    let start = attachment.callbacks.count
    _ = await wait(on: attachment) {
      attachment.versions.hasAdopted
        && attachment.callbacks.count >= start + Self.connectCycles
    }
    // Also without a server: the next one begins with this mix.
    guard !strips.isEmpty || !routes.isEmpty, let engine = rooms.control.mixEngine else { return }
    do throws(MixError) {
      try engine.apply(engine.spec.restoring(strips: strips, routes: routes, of: spec))
    } catch {
      rooms.control.publish(.error(), "the mix of \(next.path) is refused: \(error)")
    }
  }

  private func relabeled(
    _ groups: [(name: String, label: String?)],
    _ former: (String) -> String?,
  ) -> [String] {
    groups.filter { group in
      !before.has(group.name) || former(group.name) != group.label
        || renames.strips.values.contains(group.name) || renames.routes.values.contains(group.name)
    }.map(\.name)
  }

  /// The connections of a version.
  private func version(
    of graph: GraphFile,
    after former: GraphFile,
    names: [String: String],
    on attachment: Attachment,
  ) -> ConnectionKeeper.Version {
    ConnectionKeeper.Version(
      rules: rooms.connectsPorts
        ? GraphRules.rules(
          of: graph,
          channels: rooms.sources.present?.channels ?? [:],
          mixClient: attachment.hostName,
          sourceClient: attachment.versions.sourceClient,
        ) : [],
      formerOwners: Set(former.sources.map(\.name) + former.outputRoutes.map(\.name)),
      renamedPorts: names,
      fallbacks: graph.fallbacks,
      keepsPatches: graph.keepsPatches,
    )
  }

  /// Waits until what is gone has faded out, and frees it.
  private func leave(_ bank: SourceBank, on attachment: Attachment) async {
    guard rooms.control.attachment === attachment else { return }
    attachment.versions.play(bank)
    _ = await wait(on: attachment) { attachment.versions.collectRemoved() }
  }

  /// Waits until the audio thread has come to an end with something.
  ///
  /// - Returns: False if the time was up, or the server went away before.
  private func wait(on attachment: Attachment, until isDone: () -> Bool) async -> Bool {
    let deadline = rooms.control.nowNanoseconds + Self.patienceNanoseconds
    while rooms.control.attachment === attachment {
      rooms.collectMix()
      if isDone() { return true }
      guard rooms.control.nowNanoseconds < deadline else { return false }
      await rooms.control.sleep(Self.check)
    }
    return false
  }
}
