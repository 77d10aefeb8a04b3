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

  private let client: HostClient
  private let folders: NodeFolders
  private let continuation: AsyncStream<RegistrationChange>.Continuation
  private var directory: NodeDirectory
  private var instances: [String: NodeInstance] = [:]
  /// The MIDI output and queue of each node by name; kept for when it comes back.
  private var midi: [String: MIDIOutput] = [:]
  private var programs: [NodeProgram] = []
  private var transport = HostTransportState()

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
    let found = all.first { $0.client == name } ?? all.first { $0.description.name == name }
    guard let found else {
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
    let program = try NodeProgram(node.command, server: connection.server)
    programs.append(program)
    let deadline = ContinuousClock.now + limit
    while true {
      let running = directory.nodes.values.first { candidate in
        candidate.file == node.file && node.file != nil
          || candidate.description.component == node.description.component
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

  // MARK: - Patching

  /// Connects ports channel by channel; a single one on a side goes with all of the other's.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidFormat` where channels do not fit, or `jack`.
  public func patch(
    _ sources: [String],
    to destinations: [String],
  ) throws(InterAppAudioError) {
    let pairs = try PortPairs.pairs(sources, destinations)
    try InterAppAudioError.wrapping { () throws(JACKError) in
      for pair in pairs { try connection.connect(pair.source, to: pair.destination) }
    }
  }

  /// Puts effects, one after the other, between ports that may be connected now.
  ///
  /// The chain is patched first and the direct connections taken away last; JACK does that in
  /// steps, so that a live insert is heard: the running host does it behind its crossfade.
  ///
  /// - Throws: ``InterAppAudioError`` `unsupportedType` (a node takes no audio), `invalidFormat` or
  ///   `jack`.
  public func insert(
    _ effects: [NodeInstance],
    between sources: [String],
    and destinations: [String],
  ) throws(InterAppAudioError) {
    var from = sources
    for effect in effects {
      guard effect.node.description.kind.takesAudio else {
        throw InterAppAudioError(
          .unsupportedType,
          "node '\(effect.node.name)' is no effect: it takes no audio",
        )
      }
      try patch(from, to: effect.node.audioInputs)
      from = effect.node.audioOutputs
    }
    try patch(from, to: destinations)
    guard !effects.isEmpty else { return }
    for pair in try PortPairs.pairs(sources, destinations) {
      // Not connected before: nothing to take away.
      try? connection.disconnect(pair.source, from: pair.destination)
    }
  }

  /// Makes a MIDI output of the host's own, to be patched to any client.
  ///
  /// - Parameter name: The short name of its port.
  /// - Returns: The output.
  /// - Throws: ``InterAppAudioError`` `tooManyInstances` (32 there are at most) or `jack`.
  public func midiOutput(named name: String) throws(InterAppAudioError) -> MIDIOutput {
    let output = MIDIOutput(portName: "\(connection.name):\(name)")
    let slot = try InterAppAudioError.wrapping { () throws(JACKError) in
      HostProcess.Slot(port: try connection.register(name), events: output.consumer)
    }
    guard client.add(slot) else {
      throw InterAppAudioError(
        .tooManyInstances,
        "a host can give MIDI to \(HostProcess.slotLimit) places",
      )
    }
    return output
  }

  // MARK: - Transport

  /// Lets the transport roll, or stops it.
  public func setPlaying(_ isPlaying: Bool) throws(InterAppAudioError) {
    try InterAppAudioError.wrapping { () throws(JACKError) in
      if isPlaying { try connection.startTransport() } else { try connection.stopTransport() }
    }
  }

  /// Gives tempo and time signature as JACK's timebase master.
  ///
  /// - Parameters:
  ///   - beatsPerMinute: 1 … 999.
  ///   - beatsPerBar: 1 … 64.
  ///   - beatType: 1, 2, 4, 8, 16 or 32.
  /// - Throws: ``InterAppAudioError`` `invalidProperty` or `jack`.
  public func setTempo(
    _ beatsPerMinute: Double,
    beatsPerBar: Int = 4,
    beatType: Int = 4,
  ) throws(InterAppAudioError) {
    guard (1...999).contains(beatsPerMinute), (1...64).contains(beatsPerBar),
      [1, 2, 4, 8, 16, 32].contains(beatType)
    else {
      throw InterAppAudioError(
        .invalidProperty,
        "tempo \(beatsPerMinute), \(beatsPerBar)/\(beatType): allowed are 1 … 999 beats a minute, "
          + "1 … 64 beats of 1, 2, 4, 8, 16 or 32",
      )
    }
    try InterAppAudioError.wrapping { () throws(JACKError) in
      try client.setTempo(
        beatsPerMinute: beatsPerMinute,
        beatsPerBar: beatsPerBar,
        beatType: beatType,
      )
    }
  }

  /// Announces recording and cycle; all nodes take it in the same cycle.
  ///
  /// - Returns: What was announced, with the frame it holds from.
  @discardableResult
  public func announce(
    _ state: HostTransportState
  ) throws(InterAppAudioError) -> HostTransportState {
    transport = try InterAppAudioError.wrapping { () throws(JACKError) in
      try connection.announce(state)
    }
    return transport
  }

  /// How many MIDI messages were given too late for their frame.
  public var lateMIDICount: Int { client.lateMIDICount }

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

  private func midiOutput(for node: Node) throws(InterAppAudioError) -> MIDIOutput? {
    guard let input = node.midiInputs.first else { return nil }
    if midi[node.name] == nil { midi[node.name] = try midiOutput(named: "to_\(node.name)") }
    guard let output = midi[node.name] else { return nil }
    try patch([output.portName], to: [input])
    return output
  }
}
