// SPDX-License-Identifier: MIT

internal import JACK

/// Connections between other programs' ports that a user made by hand.
///
/// As at the host's ports, one that comes within two seconds of a program's appearance is the program's. Pure value:
/// [any-thread].
struct HandPatches: Sendable {
  /// The connections.
  private(set) var made: Set<ConnectionPair> = []
  private var ownClients: Set<String> = []
  /// The times at which clients have appeared.
  private var arrivals: [String: UInt64] = [:]
  private var portsOfClient: [String: Int] = [:]

  /// Begins on a server.
  mutating func reset(ownClients clients: Set<String>) {
    self = HandPatches()
    ownClients = clients
  }

  /// A port has come.
  mutating func appeared(_ port: PortInfo, nowNanoseconds: UInt64) {
    guard !port.isPhysical else { return }
    if portsOfClient[port.client] == nil { arrivals[port.client] = nowNanoseconds }
    portsOfClient[port.client, default: 0] += 1
  }

  /// A port has gone, and its connections with it.
  mutating func vanished(_ port: String) {
    made = made.filter { !$0.contains(port) }
    let client = Self.client(of: port)
    guard let count = portsOfClient[client] else { return }
    portsOfClient[client] = count > 1 ? count - 1 : nil
    if count <= 1 { arrivals[client] = nil }
  }

  /// Ports have other names, by the former ones.
  mutating func rename(_ names: [String: String]) { made = Set(made.map { $0.renamed(names) }) }

  /// Keeps those of earlier connections that are still there.
  mutating func keep(_ earlier: Set<ConnectionPair>, among connections: Set<ConnectionPair>) {
    made = earlier.intersection(connections)
  }

  /// Somebody else than the host has connected two ports.
  mutating func connected(_ pair: ConnectionPair, nowNanoseconds: UInt64) {
    let clients = [pair.source, pair.destination].map(Self.client)
    guard !clients.contains(where: ownClients.contains),
      !clients.contains(where: { client in
        arrivals[client].map { nowNanoseconds &- $0 < ConnectionKeeper.startNanoseconds } ?? false
      })
    else { return }
    made.insert(pair)
  }

  /// Two ports were disconnected.
  mutating func disconnected(_ pair: ConnectionPair) { made.remove(pair) }

  private static func client(of port: String) -> String { String(port.prefix { $0 != ":" }) }
}
