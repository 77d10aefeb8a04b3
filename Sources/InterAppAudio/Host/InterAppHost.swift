// SPDX-License-Identifier: MIT

internal import Glibc
public import JACK
internal import Realtime
internal import Synchronization
internal import SystemSupport

/// The host side of inter-app audio for a program: finds, starts, connects and patches nodes.
///
/// It owns a JACK client without audio: nodes are connected directly with their destinations, so they
/// add no latency (IAA-7).
public actor InterAppHost {
  /// The changes among nodes and their commands, for one reader: the registrations-changed and
  /// instance-invalidated notifications and the remote-control listener of the original.
  public nonisolated let changes: AsyncStream<RegistrationChange>
  /// The client's connection.
  public nonisolated let connection: ClientConnection
  /// The description that the host publishes.
  public private(set) var description: HostDescription

  let client: HostClient
  private let folders: NodeFolders
  private let continuation: AsyncStream<RegistrationChange>.Continuation
  private var directory: NodeDirectory
  private var instances: [String: NodeInstance] = [:]
  /// The MIDI output of each node by name; kept for a node that ends, because it may return.
  var midi: [String: MIDIOutput] = [:]
  private var programs: [NodeProgram] = []
  /// The places of hosts that ``know(_:)`` has given.
  private(set) var places: [NamedPlace] = []

  /// Opens the host's client and finds the running and installed nodes.
  ///
  /// - Parameters:
  ///   - description: The description that nodes see; its name is also the preferred name of the client.
  ///   - server: The server's name; nil takes the default one.
  ///   - folders: The folders of node files.
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
      throw InterAppAudioError(.jack, error.advice)
    }
    let stream = connection.notifications
    Task { [weak self] in
      for await notification in stream { await self?.take(notification) }
      await self?.finish()
    }
  }

  // MARK: - Finding

  /// Takes names for strips and routes of hosts; nodes, clients and ports of the same names win over them.
  public func know(_ places: [NamedPlace]) { self.places = places }

  /// The matching nodes, the most recently used first.
  ///
  /// - Parameter wanted: The description to match; fields of 0 match anything.
  /// - Returns: Running and installed nodes.
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

  /// The node with this client name or display name.
  public func node(named name: String) throws(InterAppAudioError) -> Node {
    let all = nodes()
    guard let found = NodeList.node(named: name, in: all) else {
      let names = all.map(\.name).joined(separator: ", ")
      throw InterAppAudioError(
        .notFound,
        "there is no node '\(name)'; "
          + (names.isEmpty ? "no node is running or installed" : "there are: \(names)"),
      )
    }
    return found
  }

  /// Ends the program of a running node, whoever started it: SIGTERM, and SIGKILL where that does not end it in time.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - limit: The longest time for it to end by itself.
  /// - Returns: Its process.
  /// - Throws: ``InterAppAudioError`` `notFound` if it is not running, or its process is not known;
  ///   `notPermitted` for the process of another user.
  @discardableResult
  public func stop(
    _ node: Node,
    within limit: Duration = .seconds(5),
  ) async throws(InterAppAudioError) -> Int32 {
    guard let client = node.client else {
      throw InterAppAudioError(.notFound, "the node '\(node.name)' is not running")
    }
    // JACK's own socket shows the process of its client; what a node publishes about itself may be old.
    guard let pid = ClientProcess.find(client: client)?.pid ?? node.processID, pid > 1 else {
      throw InterAppAudioError(
        .notFound,
        "the process of the node '\(client)' is not known; end its program by hand"
      )
    }
    guard kill(pid, SIGTERM) == 0 || errno == ESRCH else {
      throw InterAppAudioError(
        .notPermitted,
        "process \(pid) of '\(client)' belongs to another user"
      )
    }
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
      guard directory.nodes.values.contains(where: { $0.client == client }) else { return pid }
      try? await Task.sleep(for: .milliseconds(10))
    }
    // It may block for a quarter of a second.
    _ = await BackgroundThread.value(name: "node-end") { MetadataMark.killOutside(pid) }
    return pid
  }

  // MARK: - Connecting

  /// Connects a node and starts it if it is not running: AudioComponentInstanceNew.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - limit: The longest time for it to start.
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

  /// Starts an installed node and waits until it publishes itself.
  public func start(
    _ node: Node,
    within limit: Duration = .seconds(10),
  ) async throws(InterAppAudioError) -> Node {
    // Other nodes of its kind may run already, or other programs may start some in the meantime.
    let others = Set(directory.nodes.values.map(\.clientUUID))
    let program = try NodeProgram(
      node.command,
      environment: node.environment,
      server: connection.server,
    )
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
        let why = program.hasEnded ? "it has ended" : "it has not published itself within \(limit)"
        program.send(15)
        throw InterAppAudioError(
          .initializationTimedOut,
          "node '\(node.name)' did not start with '\(node.command.joined(separator: " "))': \(why); "
            + "run the command by hand to see the reason",
        )
      }
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Disconnects a node: AudioComponentInstanceDispose.
  ///
  /// Removes all connections of its ports, and tells the node.
  public func disconnect(_ instance: NodeInstance) {
    let node = instance.node
    instances[node.name] = nil
    instance.invalidate()
    connection.unpatch(node)
    connection.release(node)
  }

  // MARK: - Closing

  /// Disconnects all nodes and closes the client; programs that were started continue.
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

/// A node that a host has connected: the counterpart of an instantiated component. [any-thread]
public final class NodeInstance: Sendable {
  /// The node at the moment of its connection.
  public let node: Node

  private let isGone = Atomic<Bool>(false)
  private let midi: MIDIOutput?

  init(node: Node, midi: MIDIOutput?) {
    self.node = node
    self.midi = midi
  }

  /// Whether the node has ended or was disconnected: the instance cannot be used any more.
  public var isInvalidated: Bool { isGone.load(ordering: .acquiring) }

  func invalidate() { isGone.store(true, ordering: .releasing) }

  /// Sends MIDI to an instrument or music effect, at a frame.
  ///
  /// - Parameter event: The message; its frame must not be before that of the message sent before. A late
  ///   message is played at once.
  /// - Throws: ``InterAppAudioError`` `unsupportedType` (it takes no MIDI), `instanceInvalidated`,
  ///   `invalidProperty` (no message of one to three bytes) or `instanceTimedOut` (8192 wait already).
  ///
  /// [any-thread]
  public func send(_ event: ScheduledMIDI) throws(InterAppAudioError) {
    guard !isInvalidated else {
      throw InterAppAudioError(
        .instanceInvalidated,
        "node '\(node.name)' has ended or was disconnected; connect it again"
      )
    }
    guard let midi else {
      throw InterAppAudioError(
        .unsupportedType,
        "node '\(node.name)' takes no MIDI; use an instrument or a music effect",
      )
    }
    try midi.send(event)
  }
}
