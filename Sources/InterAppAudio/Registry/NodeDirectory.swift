// SPDX-License-Identifier: MIT

public import JACK

/// The running nodes of a server, kept up to date by the notifications of one client.
///
/// A value without a thread: the reader of the client's notifications calls ``take(_:)`` with each.
/// [control-thread]
public struct NodeDirectory: Sendable {
  /// The nodes by the names of their clients.
  public private(set) var nodes: [String: Node] = [:]

  private let connection: ClientConnection
  private var clients: [UInt64: String] = [:]
  /// The node files, which also declare programs that do not publish themselves.
  public var declarations: [InstalledNode]

  /// Finds the nodes that are running now.
  ///
  /// - Parameters:
  ///   - connection: The client that reads the metadata.
  ///   - declarations: The node files.
  /// - Throws: ``JACKError`` with `closed` or `serverGone`.
  public init(
    _ connection: ClientConnection,
    declarations: [InstalledNode] = [],
  ) throws(JACKError) {
    self.connection = connection
    self.declarations = declarations
    let names = Set(try connection.ports().map(\.client))
    for name in names { nodes[name] = read(client: name) }
  }

  /// Updates the nodes with a notification.
  ///
  /// - Returns: The changes among the nodes; usually none.
  public mutating func take(_ notification: ClientNotification) -> [RegistrationChange] {
    switch notification {
    case .propertyChanged(let subject, let key, _):
      return propertyChanged(of: subject, key: key)
    case .portRegistered(let port):
      // A program that a file declares is a node when its last port is registered.
      guard declarations.contains(where: { $0.declares(client: port.client) }) else { return [] }
      return refresh(client: port.client)
    case .portUnregistered(let name):
      let client = String(name.prefix { $0 != ":" })
      guard let node = nodes[client],
        (node.audioInputs + node.audioOutputs + node.midiInputs).contains(name)
      else { return [] }
      return withdraw(client)
    case .clientUnregistered(let name):
      return withdraw(name)
    default:
      return []
    }
  }

  // MARK: - Looking

  private mutating func propertyChanged(
    of subject: UInt64,
    key: MetadataKey?,
  ) -> [RegistrationChange] {
    guard key?.rawValue.hasPrefix(NodeMetadata.nodePrefix) ?? true,
      let client = client(of: subject)
    else { return [] }
    guard let node = nodes[client], let key else { return refresh(client: client) }
    if let name = NodeMetadata.parameterName(key) {
      return parameterChanged(name, of: client, subject)
    }
    switch key {
    case NodeMetadata.remoteControl:
      guard let value = try? connection.metadata(for: key, of: subject)?.text,
        let number = value.split(separator: " ").first.flatMap({ UInt32($0) }),
        let event = AudioUnitRemoteControlEvent(rawValue: number)
      else { return [] }
      return [.remoteControl(node, event)]
    case NodeMetadata.overruns:
      guard let value = try? connection.metadata(for: key, of: subject)?.text,
        let count = Int(value)
      else { return [] }
      return [.overran(node, count: count)]
    default:
      return refresh(client: client)
    }
  }

  /// Takes in the value of one parameter, without reading the rest of the description.
  private mutating func parameterChanged(
    _ name: String,
    of client: String,
    _ subject: UInt64,
  ) -> [RegistrationChange] {
    guard let index = nodes[client]?.description.parameters.firstIndex(where: { $0.name == name }),
      var parameter = nodes[client]?.description.parameters[index],
      let text = try? connection.metadata(for: NodeMetadata.parameter(name), of: subject)?.text,
      let value = NodeParameterList.value(text, of: parameter), value != parameter.value
    else { return [] }
    parameter.value = value
    nodes[client]?.description.parameters[index] = parameter
    return nodes[client].map { [.parameterChanged($0, parameter)] } ?? []
  }

  private mutating func client(of subject: UInt64) -> String? {
    if let known = clients[subject] { return known }
    guard let name = try? connection.clientName(ofUUID: subject) else { return nil }
    clients[subject] = name
    return name
  }

  private mutating func refresh(client: String) -> [RegistrationChange] {
    let before = nodes[client]
    guard let now = read(client: client) else { return withdraw(client) }
    nodes[client] = now
    guard let before else { return [.published(now)] }
    return before == now ? [] : [.changed(now)]
  }

  private mutating func withdraw(_ client: String) -> [RegistrationChange] {
    clients = clients.filter { $0.value != client }
    guard let gone = nodes.removeValue(forKey: client) else { return [] }
    return [.withdrawn(gone)]
  }

  private func read(client: String) -> Node? {
    guard let uuid = try? connection.uuid(ofClient: client),
      let metadata = try? connection.metadata(of: uuid)
    else { return nil }
    let published = NodeDescription(
      metadata: metadata,
      server: connection.server,
      client: client,
    )
    guard var description = published ?? declared(client) else { return nil }
    let file = declarations.file(of: description, client: client)
    // A session that its file holds counts as active, whether the program publishes itself or not.
    if file?.description.isSessionActive == true { description.isSessionActive = true }
    let prefix = connection.server + "/"
    let host = metadata[NodeMetadata.connectedHost]?.text
    var node = Node(
      description: description,
      client: client,
      clientUUID: uuid,
      processID: published == nil
        ? nil : metadata[NodeMetadata.processID].flatMap { Int32($0.text) },
      host: host.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil },
      command: file?.command ?? [],
      environment: file?.environment ?? [:],
      file: file?.path,
    )
    node.parameterFault =
      published == nil ? nil : NodeDescription.parameterFault(metadata: metadata)
    return node
  }

  /// The description of a client by a node file, if the client has all ports of the file.
  private func declared(_ client: String) -> NodeDescription? {
    guard let file = declarations.first(where: { $0.declares(client: client) }),
      let ports = try? connection.ports().filter({ $0.client == client }),
      let found = file.ports(among: ports)
    else { return nil }
    var description = file.description
    description.ports = found
    return description
  }
}

/// Running and installed nodes as one list. [any-thread]
public enum NodeList {
  /// Joins running and installed nodes; an installed node that is running is in the list once.
  ///
  /// - Parameters:
  ///   - running: The nodes of a directory.
  ///   - installed: The nodes that node files declare.
  ///   - lastUse: The times of last use, from ``NodeFolders/lastUse()``.
  ///   - wanted: The description to match; fields of 0 match anything.
  /// - Returns: The matching nodes, the most recently used first, then by name.
  public static func make(
    running: some Collection<Node>,
    installed: [InstalledNode],
    lastUse: [String: Double],
    finding wanted: AudioComponentDescription = AudioComponentDescription(),
  ) -> [Node] {
    let used = Set(
      running.compactMap { node in
        node.client.flatMap { installed.file(of: node.description, client: $0)?.path }
      }
    )
    let waiting = installed.filter { !used.contains($0.path) }
    return (Array(running) + waiting.map(\.node))
      .filter { wanted.finds($0.description.component) }
      .map { node in
        var node = node
        node.lastActiveSeconds = lastUse[NodeFolders.key(node.description)] ?? 0
        return node
      }
      .sorted { ($1.lastActiveSeconds, $0.name) < ($0.lastActiveSeconds, $1.name) }
  }

  /// The node of a name: first by client name, then an installed node to start, then by display name.
  static func node(named name: String, in nodes: [Node]) -> Node? {
    let called = nodes.filter { $0.description.name == name }
    return nodes.first { $0.client == name } ?? called.first { !$0.isRunning } ?? called.first
  }
}
