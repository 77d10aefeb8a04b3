// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Patchbay

/// The host's clients on one server, as captures need them.
///
/// Part of an ``Attachment``. Belongs to the control thread.
final class AttachedCaptures: CaptureServer {
  private let presence: any HostPresence
  private let connections: HostConnections

  /// Serves captures with a presence.
  init(presence: any HostPresence, connections: HostConnections) {
    self.presence = presence
    self.connections = connections
  }

  var hostClients: [String] { presence.clientNames }
  var ports: PortDirectory { connections.ports }
  func foundPorts(of route: GraphFile.Route) -> [String] { connections.foundPorts(of: route) }
  func listeners(of port: String) -> [String] { connections.others(of: port) }

  func destinations(of ownPort: String) -> [String] { connections.destinations(of: ownPort) }

  func connect(_ source: String, to destination: String) throws(JACKError) {
    try connections.connect(ConnectionPair(source: source, destination: destination))
  }

  func cut(_ source: String, from destination: String) throws(JACKError) {
    try connections.forbid(ConnectionPair(source: source, destination: destination))
  }

  func openGates() throws -> any CaptureGates { try presence.openGates() }
}
