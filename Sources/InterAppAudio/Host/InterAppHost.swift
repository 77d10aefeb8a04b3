// SPDX-License-Identifier: MIT

public import JACK
internal import Realtime

/// The host side of inter-app audio for a program: finds, starts, connects and patches nodes.
///
/// Owns a JACK client that no audio goes through: nodes are patched straight to where they are
/// heard, so that nothing is delayed (IAA-7).
public actor InterAppHost {
  /// What happens to nodes and what they ask for, for one reader: the registrations-changed and
  /// instance-invalidated notifications and the remote-control listener of the original.
  public nonisolated let changes: AsyncStream<RegistrationChange>
  /// The client's connection.
  public nonisolated let connection: ClientConnection
  /// What the host says about itself.
  public private(set) var description: HostDescription

  let client: HostClient
  private let folders: NodeFolders
  private let continuation: AsyncStream<RegistrationChange>.Continuation
  private var directory: NodeDirectory
  private var instances: [String: NodeInstance] = [:]
  /// The MIDI output and queue of each node by name; kept for when it comes back.
  var midi: [String: MIDIOutput] = [:]
  private var programs: [NodeProgram] = []

  /// Opens the host's client and reads what nodes there are.
  ///
  /// - Parameters:
  ///   - description: What nodes are told; its name is wanted for the client too.
  ///   - server: The server's name; nil takes the default one.
  ///   - folders: Where node files are.
  /// - Throws: ``InterAppAudioError`` `jack`.
  public init(
    _ description: HostDescription,
    server: String? = nil,
    folders: NodeFolders = NodeFolders(),
  ) throws(InterAppAudioError) {
    self.description = description
    self.folders = folders
    (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    do throws(JACKError) {
      client = try HostClient(name: description.name, server: server)
      connection = client.connection
      try description.publish(on: connection)
      directory = try NodeDirectory(connection, declarations: folders.read().nodes)
    } catch {
      throw InterAppAudioError(.jack, error.description)
    }
    let stream = connection.notifications
    Task { [weak self] in
      for await notification in stream { await self?.take(notification) }
      await self?.finish()
    }
  }

  // MARK: - Finding

  /// The nodes that fit, the one used last first.
  ///
  /// - Parameter wanted: What is looked for; its zero fields fit anything.
  /// - Returns: Nodes that run and nodes that are installed.
  public func nodes(
    finding wanted: AudioComponentDescription = AudioComponentDescription()
  ) -> [Node] {
    NodeList.make(
      running: directory.nodes.values,
      installed: folders.read().nodes,
      lastUse: folders.lastUse(),
      finding: wanted,
    )
  }

  /// The node of this name: of its client, or for people.
  public func node(named name: String) throws(InterAppAudioError) -> Node {
    let all = nodes()
    guard let found = NodeList.node(named: name, in: all) else {
      let names = all.map(\.name).joined(separator: ", ")
      throw InterAppAudioError(
        .notFound,
        "there is no node '\(name)'; " + (names.isEmpty ? "there are none" : "there are: \(names)"),
      )
    }
    return found
  }

  // MARK: - Connecting

  /// Connects a node, starting it where it does not run: AudioComponentInstanceNew.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - limit: How long it may take to start.
  /// - Returns: The instance.
  /// - Throws: ``InterAppAudioError`` `notPermitted`, `tooManyInstances`, `notFound`,
  ///   `initializationTimedOut` or `jack`.
  public func connect(
    _ node: Node,
    within limit: Duration = .seconds(10),
  ) async throws(InterAppAudioError) -> NodeInstance {
    if node.isRunning { try description.checkAccess(to: node) }
    let running = node.isRunning ? node : try await start(node, within: limit)
    try description.checkAccess(to: running)
    try connection.claim(running)
    folders.noteUse(of: running.description)
    let instance = NodeInstance(node: running, midi: try midiOutput(for: running))
    instances[running.name] = instance
    return instance
  }

  /// Starts an installed node and waits until it has published itself.
  public func start(
    _ node: Node,
    within limit: Duration = .seconds(10),
  ) async throws(InterAppAudioError) -> Node {
    // Others of its kind may run already, or be started by others meanwhile.
    let others = Set(directory.nodes.values.map(\.clientUUID))
    let program = try NodeProgram(node.command, server: connection.server)
    programs.append(program)
    let deadline = ContinuousClock.now + limit
    while true {
      let running = directory.nodes.values.first { candidate in
        let isOfKind =
          candidate.file == node.file && node.file != nil
          || candidate.description.component == node.description.component
        return isOfKind && !others.contains(candidate.clientUUID)
          && candidate.processID.map(program.isAncestor) ?? true
      }
      if let running { return running }
      guard ContinuousClock.now < deadline, !program.hasEnded else {
        let why = program.hasEnded ? "it has ended" : "it has not published itself in \(limit)"
        program.send(15)
        throw InterAppAudioError(
          .initializationTimedOut,
          "node '\(node.name)' was started with '\(node.command.joined(separator: " "))': \(why)",
        )
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Disconnects a node: AudioComponentInstanceDispose.
  ///
  /// All connections of its ports go; the node is told.
  public func disconnect(_ instance: NodeInstance) {
    let node = instance.node
    instances[node.name] = nil
    instance.invalidate()
    connection.unpatch(node)
    connection.release(node)
  }

  // MARK: - Closing

  /// Disconnects everything and closes the client; programs that were started go on.
  public func close() {
    for instance in instances.values { disconnect(instance) }
    client.close()
    continuation.finish()
  }

  // MARK: - Inside

  private func take(_ notification: ClientNotification) {
    for change in directory.take(notification) {
      if case .withdrawn(let node) = change {
        instances.removeValue(forKey: node.name)?.invalidate()
      }
      continuation.yield(change)
    }
  }

  private func finish() {
    for instance in instances.values { instance.invalidate() }
    continuation.finish()
  }
}
