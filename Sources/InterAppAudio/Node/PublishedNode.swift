// SPDX-License-Identifier: MIT

public import JACK
internal import Realtime
internal import Synchronization

/// A node of this program: a JACK client that has published itself (IAA-1, IAA-2).
///
/// The counterpart of a remote I/O unit with `AudioOutputUnitPublish`. Several nodes can be
/// published by one program; each is a client of its own. Dropping the value closes the node.
@safe
public final class PublishedNode<State: ~Copyable> {
  /// What the node says about itself.
  public private(set) var description: NodeDescription
  /// What can be done with the client: connections, transport, statistics.
  public let connection: ClientConnection
  /// What the node is told, for one reader.
  public var events: AsyncStream<NodeEvent> { link.events }

  private let link: NodeLink
  private let queue: SPSCQueue<HostTransportState>
  private let callback: UnsafeMutablePointer<NodeCallback<State>>
  private var active: ActiveClient?

  /// Opens a client, registers the ports of the description, renders, and publishes.
  ///
  /// - Parameters:
  ///   - description: What the node is; without ports it gets the usual ones of its kind.
  ///   - client: The name wanted for its JACK client; nil takes the description's name.
  ///   - server: The server's name; nil takes the default one.
  ///   - process: The callback; it gets a ``NodeCallback`` of `State`.
  ///   - makeState: Makes the state of the callback for a sample rate in Hz and the largest number
  ///     of frames a cycle has now.
  /// - Throws: ``InterAppAudioError`` `jack`, and what `makeState` throws.
  ///
  /// [control-thread]
  public init(
    _ description: NodeDescription,
    client: String? = nil,
    server: String? = nil,
    process: ProcessFunction,
    makeState: (_ sampleRateHz: Double, _ frames: Int) throws -> State,
  ) throws {
    var description = description
    if description.ports.audioOutputs.isEmpty { description.ports = .usual(for: description.kind) }
    let opened = try OpenedClient.open(name: client ?? description.name, server: server)
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
    queue = SPSCQueue(minimumCapacity: 64)
    let callback = UnsafeMutablePointer<NodeCallback<State>>.allocate(capacity: 1)
    unsafe callback.initialize(
      to: NodeCallback(
        io: NodeIO(
          inputs: inputs,
          outputs: outputs,
          midi: midi.first,
          announcements: queue.consumer,
        ),
        state: state,
      )
    )
    unsafe self.callback = unsafe callback
    self.connection = connection
    self.description = description
    let address = UInt(bitPattern: callback)
    link = NodeLink(connection: connection, announcements: queue.producer) { isConnected in
      // The link ends before the callback is freed.
      let pointer = unsafe UnsafeMutablePointer<NodeCallback<State>>(bitPattern: address)
      unsafe pointer?.pointee.io.isConnected.store(isConnected, ordering: .relaxed)
    }
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
  /// The host that is connected now; nil for none.
  public var host: HostInfo? { link.host }
  /// Whether a host is connected: IsInterAppConnected.
  public var isConnected: Bool { link.host != nil }

  /// Asks something of the host's transport.
  public func send(_ event: AudioUnitRemoteControlEvent) throws(InterAppAudioError) {
    try InterAppAudioError.wrapping { () throws(JACKError) in try link.sendRemoteControl(event) }
  }

  /// Asks the host to come to the front.
  public func activateHost() throws(InterAppAudioError) {
    try InterAppAudioError.wrapping { () throws(JACKError) in try link.activateHost() }
  }

  /// Says whether the node's session is active (IAA-4).
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

  /// Takes the node off the list and closes its client.
  public func close() {
    guard let active = active.take() else { return }
    link.stop()
    // Where the server is gone, so is whom it was for. Without its kind it is no node, whatever goes next.
    try? connection.removeMetadata(for: NodeMetadata.kind, of: connection.uuid)
    try? connection.removeAllMetadata(of: connection.uuid)
    // A close that hangs may still call back: what it uses is then left where it is.
    guard active.close() != .timedOut else { return }
    unsafe callback.deinitialize(count: 1)
    unsafe callback.deallocate()
  }

  private func publish() throws(JACKError) {
    // What an earlier client with this id has left would be taken for ours.
    try? connection.removeAllMetadata(of: connection.uuid)
    let properties = description.metadata(server: connection.server, client: connection.name)
    for property in properties {
      try connection.setMetadata(property.value, for: property.key, of: connection.uuid)
    }
  }
}

extension ClientConnection {
  /// Registers ports in the order they are to be shown in.
  func registerNodePorts<Kind, Direction>(
    _ names: [String],
    order: inout Int,
  ) throws(JACKError) -> [ClientPort<Kind, Direction>] {
    var ports: [ClientPort<Kind, Direction>] = []
    for name in names {
      let port: ClientPort<Kind, Direction> = try register(name)
      // Only people who look at a patchbay miss it.
      try? setMetadata(.integer(order), for: .order, of: port)
      ports.append(port)
      order += 1
    }
    return ports
  }
}

extension InterAppAudioError {
  /// Runs JACK calls, their errors becoming errors of inter-app audio.
  static func wrapping<Value>(
    _ body: () throws(JACKError) -> Value,
  ) throws(InterAppAudioError) -> Value {
    do throws(JACKError) {
      return try body()
    } catch {
      throw InterAppAudioError(.jack, error.description)
    }
  }
}
