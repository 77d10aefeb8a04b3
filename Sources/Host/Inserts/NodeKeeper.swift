// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import InterAppAudio

/// What the host knows of the nodes it uses: who runs, who was started, when to start again.
///
/// Belongs to the control thread.
struct NodeKeeper: Sendable {
  /// A node that the graph or a user has asked for.
  struct Wanted: Sendable {
    var use: GraphFile.NodeUse
    /// The client that is this node, while it runs.
    var client: String?
    /// What was started for it.
    var program: NodeProgram?
    var starts = 0
    /// When it appeared last; nil from its start until then.
    var cameNanoseconds: UInt64?
    /// Not before this is it started again.
    var notBeforeNanoseconds: UInt64 = 0
    /// Whether it cannot be started, which is said once.
    var isMissing = false
    /// Connections that were tried in vain.
    var failedConnections = 0
    /// When callbacks were told to have taken too long, of late.
    var overrunsNanoseconds: [UInt64] = []
    /// When it is tried again after it was too late, and the fault that it has until then.
    var retries = LateRetries()
    var lateFault: String?
    /// Whether SIGSTOP holds it.
    var isStopped = false
    /// Whether it runs and is not let in (IAA-3, IAA-4).
    var isRefused = false
  }

  var directory: NodeDirectory?
  var wanted: [String: Wanted] = [:]
  /// What was started for nodes that are wanted no more.
  var leaving: [String: LeavingNode] = [:]
  var chains: [InsertPlace: InsertChain] = [:]
  /// Node sources by the strips they feed.
  var sources: [String: String] = [:]
  /// Whether nodes are told that the host's session is active.
  var isHostToldActive = false
  let folders = NodeFolders()

  /// Whoever has run for so long is started again as if for the first time.
  static let steadyNanoseconds: UInt64 = 30_000_000_000

  /// Waits between starts: 0.5 s, doubled each time up to 30 s.
  static func backOffNanoseconds(starts: Int) -> UInt64 {
    min(30_000_000_000, 500_000_000 << UInt64(min(6, max(0, starts - 1))))
  }

  /// The running node of this name: its client's, or what its file or itself calls it.
  ///
  /// Of several the one that is in use stays so, and no client is two nodes.
  func running(_ name: String) -> Node? {
    guard let nodes = directory?.nodes else { return nil }
    if let client = wanted[name]?.client, let node = nodes[client] { return node }
    if let node = nodes[name] { return node }
    return nodes.values.filter { $0.description.name == name && wantedName(of: $0) ?? name == name }
      .min { $0.name < $1.name }
  }

  /// What a node file says of this name.
  func installed(_ name: String) -> InstalledNode? {
    let files = directory?.declarations ?? []
    return files.first { $0.description.name == name } ?? files.first { $0.client == name }
  }

  /// The names of all effects that run or are installed.
  var effectNames: [String] {
    let running = directory?.nodes.values.filter(\.description.kind.takesAudio).map(\.name) ?? []
    let files = directory?.declarations.filter(\.description.kind.takesAudio) ?? []
    return Set(running + files.map(\.description.name)).sorted()
  }

  /// The running node of this name, where it has been let in.
  func admitted(_ name: String) -> Node? {
    wanted[name]?.isRefused == true ? nil : running(name)
  }

  /// The name under which a running node is wanted.
  func wantedName(of node: Node) -> String? {
    [node.name, node.description.name].first { wanted[$0] != nil }
  }

  /// Takes in what the graph asks for, the first time.
  mutating func begin(_ graph: GraphFile) {
    guard wanted.isEmpty, chains.isEmpty else { return }
    for (_, use) in graph.nodeUses { wanted[use.name] = Wanted(use: use) }
    for source in graph.sources {
      if case .node(let use) = source.kind { sources[source.name] = use.name }
      add(.strip(source.name), source.inserts, wet: source.wet)
    }
    for route in graph.routes { add(.route(route.name), route.inserts, wet: route.wet) }
  }

  private mutating func add(_ place: InsertPlace, _ uses: [GraphFile.NodeUse], wet: Double) {
    guard !uses.isEmpty else { return }
    chains[place] = InsertChain(place: place, slots: uses.map(InsertChain.Slot.init), wet: wet)
  }

  /// Whether SIGSTOP holds one of them.
  var haveStopped: Bool { wanted.values.contains(where: \.isStopped) }

  /// Whether SIGSTOP holds a node of a place.
  func isStopped(at place: InsertPlace) -> Bool {
    names(at: place).contains { wanted[$0]?.isStopped == true }
  }

  /// The names of the nodes of a place: what is heard, and its effects.
  func names(at place: InsertPlace) -> [String] {
    var names = chains[place]?.slots.map(\.use.name) ?? []
    if case .strip(let strip) = place, let source = sources[strip] { names.append(source) }
    return names
  }

  /// Whether the host has anything to do with nodes.
  var isIdle: Bool { wanted.isEmpty }

  /// Where a node is used, as an effect.
  func places(of name: String) -> [InsertPlace] {
    chains.values.filter { $0.slots.contains { $0.use.name == name } }.map(\.place)
  }
}
