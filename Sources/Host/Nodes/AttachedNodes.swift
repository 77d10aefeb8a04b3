// SPDX-License-Identifier: MIT

internal import InterAppAudio
internal import JACK
internal import Mixing
internal import Patchbay

/// The host's clients on one server, as nodes need them.
///
/// Part of an ``Attachment``. Belongs to the control thread.
final class AttachedNodes: NodeServer {
  private let presence: any HostPresence
  private let engine: MixEngine
  private let connections: HostConnections
  private let latencies: HostLatencies

  /// Serves nodes with a presence and its engine.
  init(
    presence: any HostPresence,
    engine: MixEngine,
    connections: HostConnections,
    latencies: HostLatencies,
  ) {
    self.presence = presence
    self.engine = engine
    self.connections = connections
    self.latencies = latencies
  }

  var serverName: String { presence.serverName }
  var hostName: String { presence.hostName }
  var hostClients: [String] { presence.clientNames }
  var cycleCount: UInt64 { presence.callbacks.count }
  var periodSeconds: Double { presence.periodSeconds }
  var frame: UInt64? { presence.frameTime.map(UInt64.init) }

  func listNodes(_ files: [InstalledNode]) throws(JACKError) -> any NodeListing {
    try presence.listNodes(files)
  }

  func describe(_ host: HostDescription) throws(JACKError) { try presence.describe(host) }
  func claim(_ node: Node) throws(InterAppAudioError) { try presence.claim(node) }
  func release(_ node: Node) { presence.release(node) }

  func setParameter(
    _ name: String,
    to value: Double,
    of node: Node,
  ) throws(InterAppAudioError) {
    try presence.setParameter(name, to: value, of: node)
  }

  func carryOut(
    _ event: AudioUnitRemoteControlEvent,
    _ state: inout HostTransportState,
  ) throws(JACKError) {
    try presence.carryOut(event, &state)
  }

  var chainPorts: [any ChainPorts] { presence.chains }

  func channels(of place: InsertPlace) -> Int { presence.channels(of: place) }

  func addChainPorts(at place: InsertPlace) throws {
    let tag = try presence.addChain(at: place)
    // Before JACK reports them: a node is connected to them at once, and no pattern is to match them.
    let inlets = presence.chains.first { $0.place == place }?.inletNames ?? []
    connections.add(ownPorts: Set(inlets))
    for name in inlets { if let port = presence.portInfo(name) { connections.appeared(port) } }
    connections.hide(presence.hiddenPorts)
    try engine.apply(engine.spec, tag: tag)
    latencies.restate()
  }

  func isLeaving(_ chain: InsertPlace) -> Bool { presence.isLeaving(chain) }

  func heardPorts(ofStrip strip: String) -> [String] { connections.foundPorts(of: strip) }

  func destinations(of port: String) -> [String] { connections.destinations(of: port) }

  func link(_ pair: ConnectionPair) throws(JACKError) { try connections.link(pair) }

  func unlink(_ pair: ConnectionPair) { connections.disconnect(pair) }

  func isConnected(_ pair: ConnectionPair) -> Bool {
    connections.others(of: pair.source).contains(pair.destination)
  }

  func plug(_ strip: String) { connections.plug(strip) }

  func plug(_ strip: String, _ pairs: [ConnectionPair]) {
    connections.plug(strip)
    connections.change(ConnectionRule(plugging: strip, pairs))
    connections.makeMissing()
  }

  func unplug(_ strip: String) { connections.unplug(strip) }
}

extension ConnectionRule {
  /// The connections of a node to the strip that it feeds. [any-thread]
  init(plugging strip: String, _ pairs: [ConnectionPair]) {
    self.init(
      owner: strip,
      direction: .intoHost,
      channels: pairs.map {
        ConnectionRule.Channel(ownPort: $0.destination, target: .named($0.source))
      },
    )
  }
}
