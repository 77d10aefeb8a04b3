// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Patchbay

/// The ports of a server that are captures, and the clients that hear them through gates.
///
/// Belongs to the control thread.
struct CaptureSources {
  /// The graph, with its routes.
  let graph: GraphFile
  /// The server.
  let server: any CaptureServer
  /// The gates; nil without any.
  let gates: (any CaptureGates)?
  /// The first rule of the graph that adopts or excludes a client.
  let rule: (_ client: String) -> GraphFile.Adoption?

  /// Every capture port of the server.
  var ports: [String] {
    let ports =
      server.ports.physical(facing: .intoHost) + inputRoutes.flatMap { server.foundPorts(of: $0) }
    return Set(ports).sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  /// The capture port of a connection from `source`; nil if it is not a capture, or comes from the client's own
  /// gate.
  func capture(of source: String, for client: String) -> String? {
    if let gate = gates?.gate(output: source) {
      // Through another program's gate it would hear that program's capture.
      return gate.client == client ? nil : gate.source
    }
    let isCapture =
      server.ports.isPhysical(source)
      || inputRoutes.contains { server.foundPorts(of: $0).contains(source) }
    return isCapture ? source : nil
  }

  /// Whether a client gets gates: not the host's own clients, excluded clients, and clients of a route.
  func isGateable(_ client: String) -> Bool {
    guard gates?.clientName != client, !server.hostClients.contains(client) else { return false }
    if let rule = rule(client), rule.session == nil { return false }
    return !graph.routes.contains { route in
      server.foundPorts(of: route).contains { JACKNames.client(of: $0) == client }
    }
  }

  /// Whether a client is a program that may need a permission for what carries a microphone.
  func isProgram(_ client: String) -> Bool {
    isGateable(client) && !server.ports.hasPhysicalPort(ofClient: client)
  }

  private var inputRoutes: [GraphFile.Route] { graph.routes.filter { $0.direction == .input } }
}
