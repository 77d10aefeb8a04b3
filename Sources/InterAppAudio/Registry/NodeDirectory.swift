// SPDX-License-Identifier: MIT

public import JACK

/// The nodes that run on a server, kept up with the notifications of one client.
///
/// A value without a thread of its own: whoever reads the client's notifications hands them on.
/// [control-thread]
public struct NodeDirectory: Sendable {
  /// The nodes by the names of their clients.
  public private(set) var nodes: [String: Node] = [:]

  private let connection: ClientConnection
  private var clients: [UInt64: String] = [:]
  /// Programs that are nodes because a file says so.
  public var declarations: [InstalledNode]

  /// Reads what is there.
  ///
  /// - Parameters:
  ///   - connection: The client that looks.
  ///   - declarations: Files that declare programs to be nodes.
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

  /// Takes in a notification.
  ///
  /// - Returns: What it means for the nodes; mostly nothing.
  public mutating func take(_ notification: ClientNotification) -> [RegistrationChange] {
    switch notification {
    case .propertyChanged(let subject, let key, _):
      return propertyChanged(of: subject, key: key)
    case .portRegistered(let port):
      // A program that a file declares is a node as soon as its last port is there.
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
    guard let description = published ?? declared(client) else { return nil }
    let file = declarations.file(of: description, client: client)
    let prefix = connection.server + "/"
    let host = metadata[NodeMetadata.connectedHost]?.text
    return Node(
      description: description,
      client: client,
      clientUUID: uuid,
      processID: published == nil
        ? nil : metadata[NodeMetadata.processID].flatMap { Int32($0.text) },
      host: host.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil },
      command: file?.command ?? [],
      file: file?.path,
    )
  }

  /// What a file says about a client that has all the ports the file names.
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
