// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import FoundationEssentials
internal import GraphFiles
internal import Mixing
internal import Patchbay
internal import Surfaces

/// The values that users have set by hand, as the graph file would have them.
///
/// Belongs to the control thread.
final class RevisionRoom {
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  /// The paths of the values that were told once.
  ///
  /// A file may have them, so they are told even when they are the graph's again.
  private var told: Set<[String]> = []

  /// Knows no values yet.
  init(graph: GraphRoom) { inForce = graph }

  /// The edits that lead from the graph of the host's start to the present one.
  ///
  /// - Parameters:
  ///   - present: The graph with the present values.
  ///   - patches: The connections that users made and removed by hand.
  /// - Returns: The edits.
  func edits(
    to present: GraphFile,
    patches: [ConnectionPair: GraphFile.PatchState],
  ) -> [GraphEdit] {
    let edits = graph.edits(to: present, always: told) + patchEdits(patches)
    told.formUnion(edits.map(\.path))
    return edits
  }

  /// Whether the levels of an adopted client were told once.
  func hasTold(client: String) -> Bool { told.contains(["adopt", client, "rule"]) }

  /// A connection that was told once and is by hand no longer has the graph's own rule again, or none.
  private func patchEdits(_ patches: [ConnectionPair: GraphFile.PatchState]) -> [GraphEdit] {
    var states = patches
    for case let path in told where path.first == "patches" && path.count == 4 {
      let pair = ConnectionPair(source: path[1], destination: path[2])
      guard states[pair] == nil else { continue }
      let own = graph.patches.last { rule in
        rule.isExact && rule.matches(pair.source, to: pair.destination)
      }
      states[pair] = own.flatMap { GraphFile.PatchState(rawValue: $0.kind.rawValue) } ?? .free
    }
    return states.sorted { $0.key < $1.key }.map { pair, state in
      GraphEdit(.patch(source: pair.source, destination: pair.destination), .patch(state))
    }
  }
}

extension Host {
  /// Answers the request about values for the graph file. [any-thread]
  nonisolated func registerRevision(on router: ControlRouter) -> ControlRouter {
    router.on(ListGraphEdits.self) { _, _ in
      let surface = await self.run { $0.learning.surface }
      let learned = await surface?.learned ?? [:]
      return await self.run { $0.graphEdits(learned: learned) }
    }
  }
}

/// The rooms as the graph file sees them. [control-thread]
extension Rooms {
  /// The values that users have set by hand.
  ///
  /// - Parameter learned: The learned controls of each MIDI controller.
  /// - Returns: The values, and those that a graph file cannot have.
  func graphEdits(learned: [String: [ControlMapping]]) -> ListGraphEdits.Result {
    let edits = revision.edits(to: presentGraph(learned: learned), patches: handStates)
    let path = URL(filePath: graph.path).standardizedFileURL.path(percentEncoded: false)
    return ListGraphEdits.Result(
      graph: path,
      edits: edits.map { ListGraphEdits.Edit(path: $0.path, value: $0.text) },
      leftOut: valuesWithoutPlace(learned: learned),
    )
  }

  /// The connections that users made and removed by hand: at the host's ports, between others, and against patch rules.
  private var handStates: [ConnectionPair: GraphFile.PatchState] {
    var states = patches.handStates
    for pair in control.patches.made { states[pair] = .connect }
    for pair in control.patches.takenAway { states[pair] = .omit }
    return states
  }

  /// The graph with the present values.
  private func presentGraph(learned: [String: [ControlMapping]]) -> GraphFile {
    var present = graph
    for index in present.routes.indices {
      let route = present.routes[index]
      let alignment = routes.alignment(of: route)
      let isGraphs = alignment == route.alignment ?? (graph.alignsRoutes ? .automatic : .free)
      if route.direction == .output, !isGraphs { present.routes[index].alignment = alignment }
    }
    for index in present.controllers.indices {
      present.controllers[index].mappings += learned[present.controllers[index].name] ?? []
    }
    for chain in nodes.insertStatuses { present.take(chain) }
    if let spec = control.mixEngine?.spec {
      let channels = Dictionary(spec.strips.map { ($0.id, $0.channels) }) { first, _ in first }
      let start = MixBuilder.spec(
        of: graph,
        channels: channels,
        sampleRateHz: Double(hardware.sampleRateHz),
      )
      present.take(spec, start: start)
    }
    for rule in presentRules { present.take(rule.rule, ofClient: rule.client) }
    return present
  }

  /// The rules that adopted clients would need for their present levels; none for those that are as their rules have them.
  private var presentRules: [(client: String, rule: GraphFile.Adoption)] {
    sessions.all.compactMap { id, held in
      guard case .client(let client) = held.owner, let rule = placeableRule(ofClient: client) else {
        return nil
      }
      let levels = programSnapshots(held, id).compactMap(\.level)
      guard levels.count == held.strips.count,
        levels.contains(where: \.isByHand) || revision.hasTold(client: client)
      else { return nil }
      return (client, rule.only(forClient: client, starts: levels.map(\.levels)))
    }
  }

  /// The rule that adopts a client, if the graph file can have levels for just this client; nil otherwise.
  private func placeableRule(ofClient client: String) -> GraphFile.Adoption? {
    guard GraphFile.canName(client: client), let rule = adoption.rule(of: client) else {
      return nil
    }
    // A rule for just this client behind the one that adopts it would not count.
    let isHidden =
      !rule.isOnly(forClient: client)
      && graph.adoptions.contains { $0.isOnly(forClient: client) }
    return isHidden ? nil : rule
  }

  /// Sentences about what users have set by hand, and a graph file has no place for.
  private func valuesWithoutPlace(learned: [String: [ControlMapping]]) -> [String] {
    let strips = control.mixEngine?.spec.strips ?? []
    let solos = strips.filter(\.isSoloed).map { "the solo of strip '\($0.id)'" }
    var placed: Set<String> = []
    let programs = sessions.all.flatMap { id, held -> [String] in
      if case .client(let client) = held.owner, placeableRule(ofClient: client) != nil {
        placed.formUnion(held.strips)
        return []
      }
      return programSnapshots(held, id).filter { $0.level?.isByHand == true }.map {
        "the levels of program '\($0.name)', which the host keeps with its state"
      }
    }
    let others = strips.filter { strip in
      let isCued = strip.isCued && graph.cue?.sources.contains(strip.id) != true
      let isPanned = strip.pan != nil && !placed.contains(strip.id)
      return graph.source(named: strip.id) == nil && (isCued || isPanned)
    }.map { "the pan or cue of strip '\($0.id)', which is no source of the graph" }
    let chains = nodes.insertStatuses.compactMap { chain in
      chain.strip.flatMap { strip in
        graph.source(named: strip) == nil && !chain.nodes.isEmpty
          ? "the inserts of strip '\(strip)', which is no source of the graph" : nil
      }
    }
    let guests = learned.keys.sorted().filter { name in
      !graph.controllers.contains { $0.name == name }
    }.flatMap { name in
      (learned[name] ?? []).map { "the learned control of '\(name)': \($0.line)" }
    }
    return solos + programs + others + chains + guests
  }
}

/// The present values in a graph. [any-thread]
extension GraphFile {
  /// Takes in a chain of effects.
  fileprivate mutating func take(_ chain: InsertStatus) {
    let uses = chain.nodes.map { node in
      var use = NodeUse(name: node.name)
      use.restart = node.restart.flatMap { NodeUse.Restart(rawValue: $0.rawValue) } ?? use.restart
      use.isBypassed = node.bypassed
      return use
    }
    for index in sources.indices where sources[index].name == chain.strip {
      sources[index].inserts = uses
      sources[index].wet = chain.wet
    }
    for index in routes.indices where routes[index].name == chain.route {
      routes[index].inserts = uses
      routes[index].wet = chain.wet
    }
  }

  /// Takes in a mix.
  ///
  /// - Parameters:
  ///   - spec: The mix.
  ///   - start: The mix that the graph gives.
  fileprivate mutating func take(_ spec: MixSpec, start: MixSpec) {
    for strip in spec.strips {
      for index in sources.indices where sources[index].name == strip.id {
        sources[index].gainDB = strip.faderDB
        sources[index].isMuted = strip.isMuted
        sources[index].pan = strip.pan
      }
    }
    for route in spec.routes {
      for index in routes.indices where routes[index].name == route.id {
        routes[index].gainDB = route.gainDB
        routes[index].isMuted = route.isMuted
      }
    }
    for send in spec.sends { take(send, start: start) }
    crossfader?.position = spec.crossfader.position
    takeCue(spec)
  }

  /// Takes in a send; those of sources with a session of their own that the graph does not have are the session's.
  private mutating func take(_ send: SendSpec, start: MixSpec) {
    guard let source = source(named: send.strip) else { return }
    var index = sends.firstIndex { $0.source == send.strip && $0.route == send.route }
    if index == nil, source.session == nil {
      index = sends.count
      sends.append(Send(from: send.strip, to: send.route))
    }
    guard let index else { return }
    sends[index].gainDB = send.gainDB
    sends[index].isMuted = send.isMuted
    let before = start.sends.first { $0.strip == send.strip && $0.route == send.route }
    guard source.session == nil, let matrix = send.matrix, matrix != before?.matrix else { return }
    let cells = matrix.enumerated().flatMap { row, gains in
      gains.enumerated().filter { $0.element > 0 }.map { column, gain in
        Send.ChannelSend(
          sourceChannel: column + 1,
          routeChannel: row + 1,
          gainDB: Decibels.decibels(fromLinear: gain),
        )
      }
    }
    if !cells.isEmpty { sends[index].channels = cells }
  }

  private mutating func takeCue(_ spec: MixSpec) {
    let cued = Set(spec.strips.filter(\.isCued).map(\.id))
    let known = Set(spec.strips.map(\.id))
    let before = cue?.sources ?? []
    let added = sources.map(\.name).filter { cued.contains($0) && !before.contains($0) }
    let names = before.filter { !known.contains($0) || cued.contains($0) } + added
    guard let route = spec.routes.first(where: \.receivesCue), cue != nil || !names.isEmpty else {
      return
    }
    cue = cue ?? Cue(to: route.id)
    cue?.route = route.id
    cue?.sources = names
  }
}
