// SPDX-License-Identifier: MIT

internal import InterAppAudio
internal import JACK
internal import Mixing
internal import Patchbay

/// The server as nodes use it; tests answer from a script.
///
/// Belongs to the control thread.
protocol NodeServer: CycleSource {
  /// The name of the JACK server.
  var serverName: String { get }
  /// The name of the host's main client.
  var hostName: String { get }
  /// The names of all of the host's clients.
  var hostClients: [String] { get }
  /// The JACK frame now; nil when the server has just gone.
  var frame: UInt64? { get }

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
  /// Carries out a node's request to the transport; `state` is the recording state last published to nodes.
  func carryOut(
    _ event: AudioUnitRemoteControlEvent,
    _ state: inout HostTransportState,
  ) throws(JACKError)

  /// The ports of the chains.
  var chainPorts: [any ChainPorts] { get }
  /// The number of channels of a strip or route; 0 for an unknown one.
  func channels(of place: InsertPlace) -> Int
  /// Registers the ports of a chain that the graph file does not contain.
  func addChainPorts(at place: InsertPlace) throws
  /// Whether ports of a chain at this place are still being removed, so that there can be no new ones.
  func isLeaving(_ chain: InsertPlace) -> Bool
  /// The ports that feed a strip.
  func heardPorts(ofStrip strip: String) -> [String]
  /// The ports that a port of the host is connected to.
  func destinations(of port: String) -> [String]
  /// Connects a chain's ports; never taken for a user's patch.
  func link(_ pair: ConnectionPair) throws(JACKError)
  /// Disconnects a chain's ports; missing ports are not an error.
  func unlink(_ pair: ConnectionPair)
  /// Whether two ports are connected.
  func isConnected(_ pair: ConnectionPair) -> Bool
  /// Lets a strip have its connections again after ``unplug(_:)``.
  func plug(_ strip: String)
  /// Connects a node with the strip whose source it is, now and whenever both exist.
  func plug(_ strip: String, _ pairs: [ConnectionPair])
  /// Disconnects the node that is the source of a strip.
  func unplug(_ strip: String)
}

extension NodeServer {
  /// The ports of a place's chain; nil without ports.
  func chainPorts(at place: InsertPlace) -> (any ChainPorts)? {
    chainPorts.first { $0.place == place }
  }
}

/// The ports of one chain of effects, and its crossfade between with and without; tests answer from a script.
///
/// Belongs to the control thread.
protocol ChainPorts: AnyObject {
  /// The strip or route.
  var place: InsertPlace { get }
  /// The inputs of a node that is the strip's source.
  var inletNames: [String] { get }
  /// The inputs at which the sound of the effects returns.
  var returnNames: [String] { get }
  /// The outputs that send a route's sound to its effects.
  var sendNames: [String] { get }
  /// A route's own ports.
  var routeNames: [String] { get }
  /// The outputs of a route's outlet.
  var outletNames: [String] { get }
  /// The share of the effects at the end of the last cycle, 0…1.
  var wet: Double { get }
  /// Sets the share of the effects, 0…1; takes a fade.
  func setWet(_ wet: Double)
  /// The number of times that the nodes' sound began to be missing.
  var missCount: Int { get }
  /// The number of cycles in which the nodes' sound was missing.
  var missedCycleCount: Int { get }
  /// The samples that a route's effects returned and that were no sound; a strip counts its own.
  var returnFaults: InputFaults { get }
}

extension InsertPorts: ChainPorts {}
