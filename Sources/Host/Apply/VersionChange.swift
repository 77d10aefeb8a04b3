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
  /// The longest wait for the audio thread, which takes a few cycles, in sound.
  private static let patience = Duration.seconds(2)

  private let rooms: Rooms
  /// The version that is in force, with the names of the next one.
  private let before: GraphFile
  private let next: GraphFile
  private let renames: PortRenames
  /// The parts that are patched or described anew.
  private let parts: VersionParts
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
    parts = VersionParts(from: before, to: next, renames)
  }

  /// Brings the next version into force.
  ///
  /// - Returns: How much longer its pauses were than the plan says, in milliseconds.
  /// - Throws: ``HostError``; nothing has changed then.
  func carryOut() async throws(HostError) -> Double {
    guard let attachment = rooms.control.attachment else { throw .notAttached }
    // Another buffer or rate follows when the version is heard: it would change the length of a pause.
    let release = rooms.hardware.hold()
    defer { release() }
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
    try checkMix(
      bank,
      present: attachment.spec.renamed(strips: renames.strips, routes: renames.routes),
    )
    try rename(renames, to: before, on: attachment)
    let lateMilliseconds = try await replace(with: bank, on: attachment)
    await leave(bank, on: attachment)
    return lateMilliseconds
  }

  /// Fades out what is patched anew, goes over to the version, and fades in again.
  ///
  /// Each route stays where it is heard until then: its new ports would be heard in the middle of the patching.
  ///
  /// - Parameters:
  ///   - bank: The sources of the version.
  ///   - attachment: The host on its server.
  /// - Returns: How much longer its pauses were than the plan says, in milliseconds.
  /// - Throws: ``HostError``; what is heard has not changed then.
  private func replace(
    with bank: SourceBank,
    on attachment: Attachment,
  ) async throws(HostError) -> Double {
    let settleFallbacks = rooms.routes.holdFallbacks()
    defer { settleFallbacks() }
    let former = attachment.spec
    let fadeInCycle: UInt64?
    let committed: (spec: MixSpec, connectedCycle: UInt64)
    do {
      guard rooms.control.attachment === attachment else { throw HostError.serverWent }
      try attachment.versions.prepare(
        layout(mix(with: bank, present: former), bank)
      )
      attachment.engine.setStandardFade(seconds: next.rampDuration.seconds)
      fadeInCycle = try await silenceRewired(on: attachment)
      committed = try commit(bank, after: former, on: attachment)
    } catch {
      restore(parts.rewiredStrips, parts.rewiredRoutes, of: former)
      try undo(on: attachment)
      throw HostError(error)
    }
    let (spec, connectedCycle) = committed
    let lateCycles = await raise(
      spec,
      connectedIn: connectedCycle,
      dueIn: fadeInCycle,
      on: attachment
    )
    return Double(lateCycles) * attachment.periodSeconds * 1_000
  }

  // MARK: - Before anything is heard

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

  /// Checks the mix that follows from the present one.
  private func checkMix(_ bank: SourceBank, present: MixSpec) throws(HostError) {
    do throws(MixError) {
      try mix(with: bank, present: present).validate()
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
    attachment.engine.setStandardFade(seconds: original.rampDuration.seconds)
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
      present.keepingFallbacks(of: next),
      from: MixBuilder.spec(of: before, channels: then, sampleRateHz: rate),
      to: MixBuilder.spec(of: next, channels: bank.channels, sampleRateHz: rate),
      gates: gates,
      controls: Dictionary(controls) { first, _ in first },
    ).spec
  }

  private func layout(_ spec: MixSpec, _ bank: SourceBank) -> PortLayout {
    PortLayout(spec, bank: bank, graph: next, controllers: rooms.controllerDevices(of: next))
  }

  /// Fades out what is patched anew, and returns when it is silent.
  ///
  /// - Returns: The count of cycles at which the fade in is due, as the dry run tells it; nil where nothing is patched anew.
  private func silenceRewired(on attachment: Attachment) async throws -> UInt64? {
    let (strips, routes) = (parts.rewiredStrips, parts.rewiredRoutes)
    guard !strips.isEmpty || !routes.isEmpty else { return nil }
    let periodMilliseconds = attachment.periodSeconds * 1_000
    guard periodMilliseconds > 0 else { throw HostError.serverWent }
    let pause = PauseLength(
      channels: parts.rewiredChannels,
      rampMilliseconds: next.rampDuration.seconds * 1_000,
      periodMilliseconds: periodMilliseconds,
    )
    try attachment.engine.apply(
      MixChange.silence(strips: strips, routes: routes, in: attachment.spec)
    )
    // Counted once the fade is ordered: a busy machine makes no pause shorter.
    let fadeInCycle = attachment.cycleCount + pause.cycles
    let isSilent = await wait(on: attachment) {
      attachment.engine.areSilent(strips: strips, routes: routes)
    }
    guard rooms.control.attachment === attachment else {
      throw HostError.serverWent
    }
    guard isSilent else {
      throw HostError(.jack, "the JACK server does not play; the version before stays in force")
    }
    return fadeInCycle
  }

  // MARK: - In force

  /// Goes over to the version, in one turn of the control thread.
  ///
  /// - Parameters:
  ///   - bank: Its sources.
  ///   - former: The mix before parts of it were silenced.
  ///   - attachment: The host on its server.
  /// - Returns: The mix to have; what is connected anew is silent in the present one. And the count of cycles at which JACK had
  ///   accepted all connections: the rest of the turn takes a period or two, which no pause has to wait for.
  /// - Throws: Why the mix is refused, for which sessions may have come while parts faded out; nothing is changed then.
  private func commit(
    _ bank: SourceBank,
    after former: MixSpec,
    on attachment: Attachment,
  ) throws(HostError) -> (spec: MixSpec, connectedCycle: UInt64) {
    let last = rooms.sources.present
    try checkMix(bank, present: unsilenced(attachment.spec, as: former))
    rooms.sessions.endSources(of: before, unlike: next)
    let spec = mix(with: bank, present: unsilenced(attachment.spec, as: former))
    let layout = layout(spec, bank)
    rooms.inForce.take(next)
    rooms.sources.take(bank)
    attachment.versions.play(bank.with(leaving: last))
    do throws(MixError) {
      let silent = MixChange.silence(
        strips: parts.connectedStrips,
        routes: parts.connectedRoutes,
        in: spec
      )
      try attachment.versions.take(layout, silent) {
        version(of: next, after: before, names: [:], on: attachment)
      }
    } catch {
      rooms.control.publish(.error(), "the mix of \(next.path) is refused: \(error)")
    }
    let connectedCycle = attachment.cycleCount
    attachment.takeAvailability(of: next)
    attachment.connections.watchInputs(of: next, insteadOf: before)
    attachment.versions.describe(strips: parts.relabeledStrips, routes: parts.relabeledRoutes)
    rooms.takeKeptMix()
    rooms.take(insteadOf: before, renaming: renames)
    attachment.latencies.restate()
    return (spec, connectedCycle)
  }

  /// A mix with what was silenced as it was before.
  private func unsilenced(_ spec: MixSpec, as former: MixSpec) -> MixSpec {
    spec.restoring(strips: parts.rewiredStrips, routes: parts.rewiredRoutes, of: former)
  }

  /// Fades in what is connected anew, once JACK's cycles have the connections: it would begin with a click before.
  ///
  /// - Parameters:
  ///   - spec: The mix to have.
  ///   - connectedCycle: The count of cycles at which JACK had accepted the connections.
  ///   - fadeInCycle: The count of cycles at which the fade in is due; nil where it is due as soon as it can be.
  ///   - attachment: The host on its server.
  /// - Returns: The number of cycles by which the fade in was late: this machine was busy.
  private func raise(
    _ spec: MixSpec,
    connectedIn connectedCycle: UInt64,
    dueIn fadeInCycle: UInt64?,
    on attachment: Attachment,
  ) async -> UInt64 {
    // The ports of some strips can be made only once others have left: nobody knows the length of that pause before.
    let waiting = parts.connectedStrips.intersection(rooms.nodes.unreadyStrips)
    let (strips, routes) = (parts.connectedStrips.subtracting(waiting), parts.connectedRoutes)
    let due = max(connectedCycle + PauseLength.connectCycles, fadeInCycle ?? 0)
    _ = await wait(on: attachment) {
      attachment.versions.hasAdopted && attachment.cycleCount >= due
    }
    restore(strips, routes, of: spec)
    let count = attachment.cycleCount
    if !waiting.isEmpty, rooms.control.attachment === attachment {
      rooms.nodes.makeWaitingPorts()
      let heard = attachment.cycleCount + PauseLength.connectCycles
      _ = await wait(on: attachment) { attachment.cycleCount >= heard }
    }
    restore(waiting, [], of: spec)
    guard let fadeInCycle, !strips.isEmpty || !routes.isEmpty,
      rooms.control.attachment === attachment
    else { return 0 }
    return count > fadeInCycle ? count - fadeInCycle : 0
  }

  /// Fades in strips and routes that are silent in the present mix.
  private func restore(_ strips: Set<String>, _ routes: Set<String>, of spec: MixSpec) {
    // Also without a server: the next one begins with this mix.
    guard !strips.isEmpty || !routes.isEmpty, let engine = rooms.control.mixEngine else { return }
    do throws(MixError) {
      try engine.apply(engine.spec.restoring(strips: strips, routes: routes, of: spec))
    } catch {
      rooms.control.publish(.error(), "the mix of \(next.path) is refused: \(error)")
    }
  }

  /// The connections of a version.
  private func version(
    of graph: GraphFile,
    after former: GraphFile,
    names: [String: String],
    on attachment: Attachment,
  ) -> ConnectionKeeper.Version {
    var rules: [ConnectionRule] = []
    if rooms.connectsPorts {
      // The graph alone does not know the ports of nodes.
      let ofNodes = rooms.nodes.sourceRules(of: graph)
      let plugged = Set(ofNodes.map(\.owner))
      rules = GraphRules.rules(
        of: graph,
        channels: rooms.sources.present?.channels ?? [:],
        mixClient: attachment.hostName,
        sourceClient: attachment.versions.sourceClient,
      ).filter { !plugged.contains($0.owner) }
      rules += ofNodes
    }
    return ConnectionKeeper.Version(
      rules: rules,
      formerOwners: Set(former.sources.map(\.name) + former.outputRoutes.map(\.name)),
      renamedPorts: names,
      keepsPatches: graph.keepsPatches,
    )
  }

  /// Waits until what is gone has faded out, and frees it.
  private func leave(_ bank: SourceBank, on attachment: Attachment) async {
    guard rooms.control.attachment === attachment else { return }
    attachment.versions.play(bank)
    _ = await wait(on: attachment) { rooms.nodes.isSettled }
    guard rooms.control.attachment === attachment else { return }
    do throws(MixError) {
      try attachment.versions.retire(chains: rooms.nodes.forgetGone())
    } catch {
      rooms.control.publish(.error(), "the mix of \(next.path) is refused: \(error)")
    }
    _ = await wait(on: attachment) { attachment.versions.collectRemoved() }
    // Effects of a strip with another number of channels have room for their ports now.
    rooms.nodes.settle()
  }

  /// Waits until the audio thread has come to an end with something.
  ///
  /// - Returns: False if so much sound has passed before, or the server has stopped or gone.
  private func wait(on attachment: Attachment, until isDone: () -> Bool) async -> Bool {
    let isInTime = await rooms.control.wait(on: attachment, atMost: Self.patience) {
      guard rooms.control.attachment === attachment else { return true }
      rooms.collectMix()
      return isDone()
    }
    return isInTime && rooms.control.attachment === attachment
  }
}
