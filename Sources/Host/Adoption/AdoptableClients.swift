// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Patchbay

/// The clients that rules of the graph may adopt: programs, but neither devices nor the host.
///
/// Belongs to the control thread.
final class AdoptableClients {
  private let inForce: GraphRoom
  private var graph: GraphFile { inForce.file }
  private let program: (_ client: String) -> Program
  private let isOwnClient: (_ client: String) -> Bool

  /// Makes the clients of a graph.
  ///
  /// - Parameters:
  ///   - graph: The graph.
  ///   - program: The program behind a client.
  ///   - isOwnClient: Whether a client is one of the host's own.
  init(
    graph: GraphRoom,
    program: @escaping (_ client: String) -> Program,
    isOwnClient: @escaping (_ client: String) -> Bool,
  ) {
    inForce = graph
    self.program = program
    self.isOwnClient = isOwnClient
  }

  /// The first rule that matches a client; nil without one.
  func rule(of client: String) -> GraphFile.Adoption? {
    graph.adoption(of: client) { program(client).executable }
  }

  /// The outputs of a client; none for devices, the host, and those that the graph has as sources.
  func outputs(of client: String, on attachment: Attachment) -> [String] {
    let ports = attachment.connections.ports.ports(ofClient: client, facing: .intoHost)
    guard !isOwnClient(client),
      !isDevice(client, on: attachment),
      !ports.contains(where: { isSource($0, on: attachment) })
    else { return [] }
    return ports
  }

  /// Whether a client stands for a device: any of its ports is a device's, or a route plays to it.
  ///
  /// Sinks and sources of PipeWire have outputs too (`monitor_FL`, `capture_1`), which are not marked as physical. A strip
  /// that hears the sink to which its route plays would close a loop.
  private func isDevice(_ client: String, on attachment: Attachment) -> Bool {
    let connections = attachment.connections
    return connections.ports.hasPhysicalPort(ofClient: client)
      || graph.routes.contains { route in
        connections.foundPorts(of: route).contains { JACKNames.client(of: $0) == client }
      }
  }

  /// Whether a port feeds a source of the graph.
  private func isSource(_ port: String, on attachment: Attachment) -> Bool {
    graph.sources.contains { attachment.connections.foundPorts(of: $0.name).contains(port) }
  }
}
