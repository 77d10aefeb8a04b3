// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import InterAppAudio
internal import JACK

/// The running nodes of a server, and the installed ones.
///
/// Belongs to the control thread.
protocol NodeListing {
  /// The running nodes, by the names of their clients.
  var nodes: [String: Node] { get }
  /// The nodes that node files declare.
  var declarations: [InstalledNode] { get set }
  /// Takes a notification, and returns the changes of nodes that follow from it.
  mutating func take(_ notification: ClientNotification) -> [RegistrationChange]
}

extension NodeDirectory: NodeListing {}

/// The nodes that the host uses, with the state of each, and the running and installed nodes.
///
/// Belongs to the control thread.
final class NodeLedger {
  private var listing: (any NodeListing)?
  private var used: [String: UsedNode] = [:]
  /// The nodes that are sources, by the strips that they feed.
  private var sources: [String: String] = [:]
  private var hasBegun = false

  /// Adds the graph's nodes, at the first start.
  func begin(_ graph: GraphFile) {
    guard !hasBegun else { return }
    hasBegun = true
    for (_, use) in graph.nodeUses { used[use.name] = UsedNode(use) }
    for source in graph.sources {
      if case .node(let use) = source.kind { sources[source.name] = use.name }
    }
  }

  /// Forgets the nodes of the previous server, and reads those of the present one.
  func beginAnew(_ listing: any NodeListing) {
    self.listing = listing
    for name in used.keys { used[name]?.beginAnew() }
  }

  /// Gives strips other names.
  func rename(strips names: [String: String]) {
    sources = Dictionary(sources.map { (names[$0] ?? $0, $1) }) { first, _ in first }
  }

  // MARK: - Nodes in use

  /// Whether a client is a node in use, or is about to be one: its ports come before it is published.
  func isInUse(client: String) -> Bool {
    used[client] != nil || used.keys.contains { running($0)?.name == client }
  }

  /// The names of the nodes in use, in order.
  var names: [String] { used.keys.sorted() }

  /// A node in use.
  subscript(name: String) -> UsedNode? { used[name] }

  /// Changes a node in use.
  func change<Result>(_ name: String, _ body: (inout UsedNode) -> Result) -> Result? {
    guard var node = used[name] else { return nil }
    defer { used[name] = node }
    return body(&node)
  }

  /// Adds a node, unless it is in use already.
  func add(_ node: UsedNode) {
    if used[node.use.name] == nil { used[node.use.name] = node }
  }

  /// Removes a node.
  ///
  /// - Returns: Its last state; nil if it was not in use.
  func remove(_ name: String) -> UsedNode? { used.removeValue(forKey: name) }

  /// Whether SIGSTOP holds a node.
  var haveStopped: Bool { used.values.contains { $0.life.isStopped } }

  /// The strips of which a node is the source.
  func strips(fedBy name: String) -> [String] {
    sources.filter { $0.value == name }.map(\.key).sorted()
  }

  /// Has a node feed a strip; nil for none.
  func set(source node: String?, ofStrip strip: String) { sources[strip] = node }

  /// The node that is the source of a strip; nil without one.
  func source(ofStrip strip: String) -> String? { sources[strip] }

  // MARK: - Running and installed nodes

  /// Whether the nodes of the server are known.
  var hasListing: Bool { listing != nil }

  /// Takes a notification, and returns the changes of nodes that follow from it.
  func take(_ notification: ClientNotification) -> [RegistrationChange] {
    listing?.take(notification) ?? []
  }

  /// Replaces the list of nodes that node files declare.
  func declare(_ files: [InstalledNode]) { listing?.declarations = files }

  /// The running node of this name: the name of its client, of its file, or its own name for itself.
  ///
  /// If several nodes have the name, the one in use is kept, and one client is never used as two nodes.
  func running(_ name: String) -> Node? {
    guard let nodes = listing?.nodes else { return nil }
    if let client = used[name]?.life.client?.name, let node = nodes[client] { return node }
    if let node = nodes[name] { return node }
    return nodes.values.filter { $0.description.name == name && usedName(of: $0) ?? name == name }
      .min { $0.name < $1.name }
  }

  /// The running node of this name, if the host has claimed it.
  func admitted(_ name: String) -> Node? {
    used[name]?.life.isRefused == true ? nil : running(name)
  }

  /// The name under which a running node is used.
  func usedName(of node: Node) -> String? {
    [node.name, node.description.name].first { used[$0] != nil }
  }

  /// The node file of this name.
  func installed(_ name: String) -> InstalledNode? {
    let files = listing?.declarations ?? []
    return files.first { $0.description.name == name } ?? files.first { $0.client == name }
  }

  /// The names of all effects that run or are installed.
  var effectNames: [String] {
    let running = listing?.nodes.values.filter(\.description.kind.takesAudio).map(\.name) ?? []
    let files = listing?.declarations.filter(\.description.kind.takesAudio) ?? []
    return Set(running + files.map(\.description.name)).sorted()
  }
}
