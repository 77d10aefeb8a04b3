// SPDX-License-Identifier: MIT

public import JACK

/// A node of this program: a JACK client that has published itself (IAA-1, IAA-2).
///
/// The counterpart of a remote I/O unit with `AudioOutputUnitPublish`. A program can publish several nodes; each has its
/// own client. Releasing the object closes the node. Use it from one thread at a time, not the audio thread:
/// [control-thread].
@safe
public final class PublishedNode<State: ~Copyable> {
  /// The description that the node publishes.
  public private(set) var description: NodeDescription
  /// The client's connection, for connections, transport and statistics.
  public let connection: ClientConnection
  /// The events of the node, for one reader; they end when the node is closed.
  public var events: AsyncStream<NodeEvent> { link.events }

  private let link: NodeLink
  private let signals: HostSignals
  private let callback: UnsafeMutablePointer<NodeCallback<State>>
  private var active: ActiveClient?

  /// Opens a client, registers the ports of the description, renders, and publishes.
  ///
  /// - Parameters:
  ///   - description: The node's description; without ports, it gets the default ones of its kind.
  ///   - client: The preferred name of its JACK client; nil takes the description's name.
  ///   - server: The server's name; nil takes the default one.
  ///   - process: The callback; its context is a ``NodeCallback`` of `State`.
  ///   - makeState: Makes the state of the callback for a sample rate in Hz and the current number
  ///     of frames in a cycle.
  /// - Throws: ``InterAppAudioError`` `jack`, and errors of `makeState`.
  ///
  /// [control-thread]
  public convenience init(
    _ description: NodeDescription,
    client: String? = nil,
    server: String? = nil,
    process: ProcessFunction,
    makeState: (_ sampleRateHz: Double, _ frames: Int) throws -> State,
  ) throws {
    try unsafe self.init(
      description,
      client: client,
      server: server,
      process: process,
      hostWasRead: {},
      makeState: makeState,
    )
  }

  /// Publishes as the public initializer does, with a hook for tests: `hostWasRead` runs each time the node has read
  /// who its host is, before anything is done about it. [control-thread]
  init(
    _ description: NodeDescription,
    client: String?,
    server: String?,
    process: ProcessFunction,
    hostWasRead: @escaping @Sendable () -> Void,
    makeState: (_ sampleRateHz: Double, _ frames: Int) throws -> State,
  ) throws {
    var description = description
    try NodeParameter.check(description.parameters)
    if description.ports.audioOutputs.isEmpty { description.ports = .usual(for: description.kind) }
    // A node that hangs makes each cycle late, and jackd would wait for it with each.
    let opened = try OpenedClient.open(
      name: client ?? description.name,
      server: server,
      hearsXruns: false,
    )
    let connection = opened.connection
    var order = 0
    let ports = description.ports
    let inputs: [AudioInputPort] = try connection.registerNodePorts(
      ports.audioInputs,
      order: &order,
    )
    let outputs: [AudioOutputPort] = try connection.registerNodePorts(
      ports.audioOutputs,
      order: &order,
    )
    let midi: [MIDIInputPort] = try connection.registerNodePorts(ports.midiInputs, order: &order)
    let state = try makeState(
      Double(try connection.sampleRateHz),
      Int(try connection.bufferFrames),
    )
    signals = HostSignals(parameters: description.parameters.map(\.value))
    let callback = UnsafeMutablePointer<NodeCallback<State>>.allocate(capacity: 1)
    unsafe callback.initialize(
      to: NodeCallback(
        io: NodeIO(
          inputs: inputs,
          outputs: outputs,
          midi: midi.first,
          host: signals.receiver,
        ),
        state: state,
      )
    )
    // The callback reads the signals through pointers: it counts as one of their owners until it is freed.
    _ = unsafe Unmanaged.passRetained(signals)
    unsafe self.callback = unsafe callback
    self.connection = connection
    self.description = description
    link = NodeLink(
      connection: connection,
      signals: signals,
      parameters: description.parameters,
      hostWasRead: hostWasRead,
    )
    active = try unsafe opened.activate(
      process: process,
      context: UnsafeMutableRawPointer(callback)
    )
    try publish()
    link.start()
  }

  deinit { close() }

  /// The node's client name, as JACK gave it.
  public var name: String { connection.name }
  /// The connected host; nil for none.
  public var host: HostInfo? { link.host }
  /// Whether a host is connected: IsInterAppConnected.
  public var isConnected: Bool { link.host != nil }

  /// Whether the connected host takes remote-control commands: HostReceivesRemoteControlEvents (IAA-8).
  public var hostTakesRemoteControl: Bool { link.host?.takesRemoteControl ?? false }
  /// The component that the connected host used: NodeComponentDescription (IAA-8); nil for none.
  public var hostComponent: AudioComponentDescription? { link.host?.component }

  /// Sends the host a transport command.
  public func send(_ event: AudioUnitRemoteControlEvent) throws(InterAppAudioError) {
    try InterAppAudioError.wrapping { () throws(JACKError) in try link.sendRemoteControl(event) }
  }

  /// Asks the host to come to the front.
  public func activateHost() throws(InterAppAudioError) {
    try InterAppAudioError.wrapping { () throws(JACKError) in try link.activateHost() }
  }

  /// Publishes whether the node's session is active (IAA-4).
  public func setSessionActive(_ isActive: Bool) throws(InterAppAudioError) {
    description.isSessionActive = isActive
    try InterAppAudioError.wrapping { () throws(JACKError) in
      try connection.setMetadata(
        MetadataValue(NodeFlags(description).text),
        for: NodeMetadata.flags,
        of: connection.uuid,
      )
    }
  }

  /// Sets one of the node's own parameters, as its window would; its host learns of it.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidProperty` for an unknown name or a value that is not allowed.
  public func setParameter(_ name: String, to value: Double) throws(InterAppAudioError) {
    try connection.setParameter(name, to: value, among: description.parameters, of: connection.uuid)
  }

  /// Withdraws the node and closes its client.
  public func close() {
    guard let active = active.take() else { return }
    link.stop()
    // The kind is removed first: without it the client is not a node. If the server has ended, the metadata
    // has gone with it.
    try? connection.removeMetadata(for: NodeMetadata.kind, of: connection.uuid)
    try? connection.removeAllMetadata(of: connection.uuid)
    // A client that hangs in closing may still call back, so the memory of its callback is never freed.
    guard active.close() != .timedOut else { return }
    unsafe callback.deinitialize(count: 1)
    unsafe callback.deallocate()
    unsafe Unmanaged.passUnretained(signals).release()
  }

  private func publish() throws(JACKError) {
    // Properties of an earlier client with the same id would be taken for this client's. A node that were not described
    // because of a node of another server could not be found, so here the later one wins.
    let properties = description.metadata(server: connection.server, client: connection.name)
    try connection.describe(connection.uuid, as: properties, replacingOthers: true)
  }
}

extension ClientConnection {
  /// Registers ports, and publishes the order in which patchbays show them.
  func registerNodePorts<Kind, Direction>(
    _ names: [String],
    order: inout Int,
  ) throws(JACKError) -> [ClientPort<Kind, Direction>] {
    var ports: [ClientPort<Kind, Direction>] = []
    for name in names {
      let port: ClientPort<Kind, Direction> = try register(name)
      // The order only matters for display.
      _ = try? describe(port, as: [MetadataKey.order: MetadataValue.integer(order)])
      ports.append(port)
      order += 1
    }
    return ports
  }
}

extension InterAppAudioError {
  /// Runs JACK calls and turns their errors into errors of inter-app audio.
  static func wrapping<Value>(
    _ body: () throws(JACKError) -> Value,
  ) throws(InterAppAudioError) -> Value {
    do throws(JACKError) {
      return try body()
    } catch {
      throw InterAppAudioError(.jack, error.advice)
    }
  }
}

/// An event of a published node.
///
/// Pure value: [any-thread].
public enum NodeEvent: Equatable, Sendable {
  /// A host connected; IsInterAppConnected is 1.
  case connected(HostInfo)
  /// The host disconnected; IsInterAppConnected is 0.
  case disconnected
  /// The host ended without disconnecting: stop, or continue alone.
  case hostDied(name: String)
  /// Recording or the loop of the host changed: read the host's time again.
  case hostTransportChanged
  /// A parameter got a value, which the callback knows already.
  case parameterChanged(name: String, value: Double)
  /// The host asks this program to come to the front.
  case activated(by: String)
  /// The server ended; no event follows.
  case serverGone
}

/// The facts about its host that a node knows.
///
/// Pure value: [any-thread].
public struct HostInfo: Hashable, Sendable {
  /// The name of its JACK client.
  public var client: String
  /// The display name.
  public var name: String
  /// The name of its icon in the icon theme; nil for none.
  public var iconName: String?
  /// Whether it takes remote-control commands (IAA-8).
  public var takesRemoteControl: Bool
  /// Whether it carries the background-audio flag (IAA-8).
  public var hasBackgroundAudio: Bool
  /// The component that it used; nil for a host that does not say so (IAA-8).
  public var component: AudioComponentDescription?

  /// Makes the description of a host.
  public init(
    client: String,
    name: String,
    iconName: String? = nil,
    takesRemoteControl: Bool = false,
    hasBackgroundAudio: Bool = false,
    component: AudioComponentDescription? = nil,
  ) {
    self.client = client
    self.name = name
    self.iconName = iconName
    self.takesRemoteControl = takesRemoteControl
    self.hasBackgroundAudio = hasBackgroundAudio
    self.component = component
  }
}
