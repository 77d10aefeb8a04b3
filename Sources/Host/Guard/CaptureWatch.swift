// SPDX-License-Identifier: MIT

internal import JACK

/// The server as a guard sees it while the host is dead; tests answer from a script.
///
/// Belongs to the control thread of the guard's process.
protocol GuardedServer {
  /// The capture ports of the hardware, those that came after the host's death too.
  var physicalCaptures: [String] { get }
  /// The input ports that a port is connected to; empty if the port is gone.
  func listeners(of port: String) -> [String]
  /// The number of a client that no later client of its name has; nil if there is none.
  func identity(ofClient name: String) -> UInt64?
  /// Whether a process has opened a client, as far as the server lets that be found out.
  func belongs(_ client: String, to process: Int32) -> Bool
  /// Removes a connection; one that has gone by itself is no error.
  func cut(_ source: String, from destination: String)
}

/// Keeps captures from all clients without a permission while the host is dead, also from those that come only then.
///
/// A permitted client is one that ran when the host died. Another of its name is another client. So the host's own names
/// give nobody anything.
///
/// Belongs to the control thread of the guard's process.
struct CaptureWatch<Server: GuardedServer> {
  private let server: Server
  private let cuts: [GuardOrders.Cut]
  private let captures: GuardOrders.Captures?
  /// The permitted clients, by name.
  private let permitted: [String: UInt64]
  /// The clients of the next host that have been recognised.
  private var ofNextHost: Set<UInt64> = []
  /// The process of the next host, while it attaches; nil without one.
  var nextHost: Int32? { didSet { ofNextHost.removeAll() } }

  /// Begins when the host has died.
  init(_ orders: GuardOrders, on server: Server) {
    self.server = server
    cuts = orders.cuts
    captures = orders.captures
    let names = orders.captures?.permitted ?? []
    permitted = Dictionary(
      names.compactMap { name in server.identity(ofClient: name).map { (name, $0) } }
    ) { first, _ in first }
  }

  /// Cuts every capture that is not permitted.
  mutating func enforce() {
    for cut in cuts {
      for port in server.listeners(of: cut.source) where JACKNames.client(of: port) == cut.client {
        server.cut(cut.source, from: port)
      }
    }
    guard let captures else { return }
    for source in Set(server.physicalCaptures + captures.ports) {
      for port in server.listeners(of: source) {
        guard let client = JACKNames.client(of: port), !mayHear(client) else { continue }
        server.cut(source, from: port)
      }
    }
  }

  private mutating func mayHear(_ client: String) -> Bool {
    guard let identity = server.identity(ofClient: client) else { return false }
    if permitted[client] == identity || ofNextHost.contains(identity) { return true }
    guard let nextHost, server.belongs(client, to: nextHost) else { return false }
    ofNextHost.insert(identity)
    return true
  }
}

extension ClientConnection {
  /// This connection as the guard uses it.
  var asGuardedServer: JACKGuardedServer { JACKGuardedServer(connection: self) }
}

/// A real server, over the guard's client.
///
/// Belongs to the control thread of the guard's process.
struct JACKGuardedServer: GuardedServer {
  let connection: ClientConnection

  var physicalCaptures: [String] {
    ((try? connection.ports(kind: AudioKind.self, flags: [.output, .physical])) ?? []).map(\.name)
  }

  func listeners(of port: String) -> [String] { (try? connection.connections(ofPort: port)) ?? [] }

  func identity(ofClient name: String) -> UInt64? { try? connection.uuid(ofClient: name) }

  func belongs(_ client: String, to process: Int32) -> Bool {
    // PipeWire tells no program about the process of another; a host that attaches is trusted with a moment.
    JACKLibrary.isPipeWire || ClientProcess.find(client: client)?.pid == process
  }

  func cut(_ source: String, from destination: String) {
    try? connection.disconnect(source, from: destination)
  }
}
