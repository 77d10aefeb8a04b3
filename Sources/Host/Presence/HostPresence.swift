// SPDX-License-Identifier: MIT

internal import AudioFiles
internal import GraphFiles
internal import InterAppAudio
internal import JACK
internal import Mixing
internal import Patchbay
internal import ServerControl

/// The JACK server as the host finds, starts and leaves it; tests answer from a script.
///
/// Belongs to the control thread.
protocol HostServer: AnyObject {
  /// The server's name.
  var name: String { get }
  /// Whether the host started the server, and ends it.
  var isOwned: Bool { get }
  /// Whether the server can be brought to another sample rate.
  var canSetSampleRate: Bool { get }
  /// The process id of a server of the host's own.
  var pid: Int32? { get }
  /// The driver of a server of the host's own.
  var driverName: String? { get }
  /// Whether a server of the host's own runs synchronously.
  var isSynchronous: Bool? { get }
  /// The outcome of the request for the preferred sample rate, in words.
  var sampleRateReason: String? { get }
  /// The method of setting the preferred values of another program's server, in words.
  var foreignReason: String? { get }
  /// When the server first answered in the latest ``open(name:preference:)``, in nanoseconds.
  var answeredNanoseconds: UInt64 { get }

  /// Reads the server's kind, process and driver, as far as they can be found.
  func identity() -> ServerIdentity
  /// Opens a client; starts a server where none answers and the graph allows it.
  func open(name: String, preference: ServerPreference) async throws -> any OpenedPresence
  /// Sets the buffer of a server that does not take its size from JACK.
  ///
  /// - Parameter frames: The size; nil for the one before the host's.
  /// - Returns: False where the host's client has to ask for the size.
  func setBuffer(frames: Int?) async -> Bool
  /// The settings to restore should the host be killed; nil for none.
  var loan: ServerLoan? { get }
  /// Restores the settings of another program's server, and stops a server that the host started.
  func stop() async
  /// Does as ``stop()``, and finds or starts a server with these settings from now on.
  func change(to settings: GraphFile.Server) async
}

/// A server whose buffer size can be read and set, in frames.
///
/// Belongs to the control thread.
protocol BufferSizing {
  /// The buffer size.
  var currentBufferFrames: Int { get throws }
  /// Asks for another buffer size.
  func askForBuffer(frames: Int) throws
}

/// The host's main client, open and not active yet.
///
/// Belongs to the control thread.
protocol OpenedPresence: AnyObject, BufferSizing {
  /// The server's sample rate in hertz.
  var rateHz: Int { get throws }

  /// Makes the engine, registers all ports, and activates the clients. The value cannot be used
  /// after that.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - controllers: The MIDI controllers.
  ///   - spec: The mix.
  ///   - bank: The players and tones.
  ///   - taps: The recordings that run.
  ///   - feeds: The files that the host plays into strips, by strip.
  ///   - times: The store for the durations of the callback.
  ///   - makeEngine: Makes the engine for an arrangement's tag.
  /// - Returns: The clients.
  /// - Throws: The error of JACK or the engine; all clients are closed then.
  func appear(
    graph: GraphFile,
    controllers: [ControllerDevice],
    spec: MixSpec,
    bank: SourceBank,
    taps: [RecordingTap],
    feeds: [String: StripFeed],
    times: CallbackTimes,
    makeEngine: (_ tag: UInt64) throws -> MixEngine,
  ) throws -> any HostPresence
}

/// The host's clients on one JACK server; tests answer from a script.
///
/// Belongs to the control thread.
protocol HostPresence: AnyObject, BufferSizing {
  // MARK: Names

  /// The name of the main client as JACK gave it.
  var hostName: String { get }
  /// The name that was asked for.
  var requestedName: String { get }
  /// The names of all clients by their purpose.
  var clients: ClientNames { get }
  /// The name of the server.
  var serverName: String { get }
  /// The name of the client that plays files and tones; nil where the graph has neither.
  var sourceClient: String? { get }
  /// The names of all clients.
  var clientNames: [String] { get }
  /// The full names of all ports of the main and the source client, and of the ports at which node
  /// sources come in.
  var ownPorts: Set<String> { get }
  /// The full names of ports that stand in for other ports of the host; their connections are never
  /// taken for a user's patches.
  var hiddenPorts: Set<String> { get }

  // MARK: Ports and connections

  /// The server's notifications, for one reader.
  var notifications: AsyncStream<ClientNotification> { get }
  /// All ports of the server, for audio and MIDI.
  func allPorts() throws(JACKError) -> [PortInfo]
  /// All audio ports.
  func audioPorts() throws(JACKError) -> [PortInfo]
  /// The audio outputs of a client.
  func audioOutputs(ofClient client: String) throws(JACKError) -> [PortInfo]
  /// The port of this full name; nil where there is none.
  func portInfo(_ name: String) -> PortInfo?
  /// The full names of the ports that a port is connected to.
  func connections(ofPort name: String) throws(JACKError) -> [String]
  /// Connects two ports, and returns at the moment that `wait` names.
  @discardableResult
  func connect(
    _ source: String,
    to destination: String,
    awaiting wait: ConnectWait,
  ) throws(JACKError) -> ConnectOutcome
  /// Disconnects two ports.
  func disconnect(_ source: String, from destination: String) throws(JACKError)

  // MARK: Latency and time

  /// The longest latency of a port in frames; nil where JACK gives none.
  func latencyFrames(ofPort name: String, _ mode: LatencyMode) -> UInt32?
  /// The longest latency from a route's ports to the device in frames; nil where JACK gives none.
  func outputLatencyFrames(ofRoute route: String) -> UInt32?
  /// States the latencies of the signal paths through the host to JACK.
  func stateLatencies(of spec: MixSpec, routeFrames: (_ route: String) -> Int)
  /// Whether the latencies of the chains' ports have changed since the last call.
  func haveChainLatenciesChanged() -> Bool
  /// The length of a cycle in seconds; 0 when the server has just gone.
  var periodSeconds: Double { get }
  /// The JACK frame now; nil when the server has just gone.
  var frameTime: UInt32? { get }
  /// The frame time of the server's cycle, and the number of callbacks of each client without
  /// inputs from other programs; nil when the server has just gone.
  var pulse: (frame: UInt32, cycles: [UInt64])? { get }
  /// Callbacks of the main client, and the length of the last one in nanoseconds.
  var callbacks: (count: UInt64, lastNanoseconds: UInt64) { get }
  /// JACK's load in percent.
  var loadPercent: Double { get }
  /// How many notifications were dropped so far because nobody read them in time.
  var lostNotifications: UInt64 { get }

  // MARK: Transport

  /// JACK's transport now; nil when the server has just gone.
  var transport: TransportReading? { get }
  /// Whether JACK's transport rolls; nil when the server has just gone.
  var isTransportRolling: Bool? { get }
  /// Starts JACK's transport.
  func startTransport() throws(JACKError)
  /// Stops JACK's transport.
  func stopTransport() throws(JACKError)
  /// Moves JACK's transport to a frame.
  func locateTransport(toFrame frame: UInt32) throws(JACKError)

  // MARK: Strips and recordings

  /// Registers the ports of a new strip; one into which the host plays a file has none.
  func addStrip(
    _ id: String,
    channels: Int,
    feed: StripFeed?,
  ) throws(JACKError) -> (tag: UInt64, released: [ConnectionPair])
  /// Registers further ports for a strip.
  func growStrip(_ id: String, channels: Int) throws(JACKError) -> UInt64
  /// Removes a strip from the arrangement; its ports are unregistered once the audio thread no
  /// longer uses them.
  func removeStrip(_ id: String) -> UInt64
  /// Writes the metadata of a strip's ports.
  func describeStrip(_ id: String)
  /// Whether a strip of that name is still being removed and has another number of ports.
  func isInTheWay(of id: String, channels: Int) -> Bool
  /// The full names of a strip's ports.
  func stripPorts(_ id: String) -> Set<String>
  /// Keeps a strip's channel silent while `port` has more than `limit` connections.
  func watchInput(ofStrip strip: String, channel: Int, port: String, limit: Int)
  /// Stops watching: the strip's channel is heard whatever its port is connected to.
  func releaseInput(ofStrip strip: String, channel: Int)
  /// Replaces the list of running recordings.
  func setTaps(_ taps: [RecordingTap]) -> UInt64
  /// Frees memory and ports that the audio thread no longer uses, now that it has adopted the
  /// arrangement of this tag.
  func adopted(tag: UInt64)

  // MARK: Versions of the graph

  /// Registers the ports that a layout needs beyond the present ones; nothing is heard of them yet.
  ///
  /// No new port stays where it throws.
  ///
  /// - Returns: The full names of the new ports.
  func prepare(_ layout: PortLayout) throws(JACKError) -> Set<String>
  /// Unregisters what ``prepare(_:)`` has registered.
  func discard()
  /// Gives the ports of strips, routes and sources other names, with their connections.
  ///
  /// - Returns: The new full name of each port, by the former one.
  func rename(_ renames: PortRenames) throws(JACKError) -> [String: String]
  /// Goes over to a prepared layout; ports that it does not have leave once the audio thread no longer uses them.
  func take(_ layout: PortLayout) -> UInt64
  /// Leaves out the controllers that the layout in force does not have, and chains of effects; their ports leave once the audio
  /// thread no longer uses them.
  ///
  /// - Parameter chains: The places of those chains, which nobody hears.
  /// - Returns: The tag of the arrangement without them, for the engine; nil where all stay.
  func retire(chains: Set<InsertPlace>) -> UInt64?
  /// Whether ports of a chain at this place are still being removed, so that there can be no new ones.
  func isLeaving(_ chain: InsertPlace) -> Bool
  /// Plays these sources from the next cycle on; others leave with their ports.
  func play(_ bank: SourceBank)
  /// Whether the audio thread uses the newest arrangement.
  var hasAdopted: Bool { get }
  /// Frees memory and ports that the audio thread no longer uses.
  ///
  /// - Returns: Whether everything that has been removed is gone.
  func collectRemoved() -> Bool
  /// Writes the metadata of a route's ports.
  func describeRoute(_ id: String)

  // MARK: Nodes

  /// The ports of the chains of effects.
  var chains: [any ChainPorts] { get }
  /// The number of channels of a strip or route; 0 for an unknown one.
  func channels(of place: InsertPlace) -> Int
  /// Registers the ports of a chain that the graph file does not contain.
  func addChain(at place: InsertPlace) throws(JACKError) -> UInt64
  /// Reads the list of running nodes.
  func listNodes(_ files: [InstalledNode]) throws(JACKError) -> any NodeListing
  /// Publishes a description of the host for nodes.
  func describe(_ host: HostDescription) throws(JACKError)
  /// Makes the host the only host of a node.
  func claim(_ node: Node) throws(InterAppAudioError)
  /// Releases a node for other hosts.
  func release(_ node: Node)
  /// Sets a parameter of a node.
  func setParameter(
    _ name: String,
    to value: Double,
    of node: Node,
  ) throws(InterAppAudioError)
  /// Carries out a node's request to the transport; `state` is the recording state last published
  /// to nodes.
  func carryOut(
    _ event: AudioUnitRemoteControlEvent,
    _ state: inout HostTransportState,
  ) throws(JACKError)

  // MARK: Controllers

  /// The lines to the controllers; nil where there are none.
  var controllerLines: ControllerLines? { get }
  /// All MIDI ports.
  func midiPorts() throws(JACKError) -> [PortInfo]

  // MARK: Captures

  /// Opens the client with the capture gates.
  func openGates() throws -> any CaptureGates

  /// Closes all clients.
  func close()
}

extension HostPresence {
  /// Connects two ports, and returns when the connection is listed or the server has ignored it.
  @discardableResult
  func connect(
    _ source: String,
    to destination: String,
  ) throws(JACKError) -> ConnectOutcome {
    try connect(source, to: destination, awaiting: .listing)
  }
}
