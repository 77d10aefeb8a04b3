// SPDX-License-Identifier: MIT

/// Connections by the ports at their ends.
///
/// Pure value: [any-thread].
struct PairIndex: Sendable {
  private var pairsByPort: [String: Set<ConnectionPair>] = [:]

  /// The connections that begin or end at a port.
  subscript(port: String) -> Set<ConnectionPair> { pairsByPort[port] ?? [] }

  /// Adds a connection; one that is there already stays.
  mutating func insert(_ pair: ConnectionPair) {
    pairsByPort[pair.source, default: []].insert(pair)
    pairsByPort[pair.destination, default: []].insert(pair)
  }

  /// Forgets a connection.
  mutating func remove(_ pair: ConnectionPair) {
    for port in [pair.source, pair.destination] {
      pairsByPort[port]?.remove(pair)
      if pairsByPort[port]?.isEmpty == true { pairsByPort[port] = nil }
    }
  }

  /// Forgets all connections.
  mutating func removeAll() { pairsByPort.removeAll() }
}
