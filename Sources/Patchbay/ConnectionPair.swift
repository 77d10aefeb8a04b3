// SPDX-License-Identifier: MIT

/// A connection from an output port to an input port, by their full names.
///
/// Pure value: [any-thread].
package struct ConnectionPair: Codable, Hashable, Sendable, Comparable {
  /// The output port.
  package let source: String
  /// The input port.
  package let destination: String

  /// Makes the pair from its two ports.
  package init(source: String, destination: String) {
    self.source = source
    self.destination = destination
  }

  /// Orders pairs by source, then by destination.
  package static func < (first: ConnectionPair, second: ConnectionPair) -> Bool {
    (first.source, first.destination) < (second.source, second.destination)
  }

  /// The pair with other names of its ports, by the former ones.
  package func renamed(_ names: [String: String]) -> ConnectionPair {
    ConnectionPair(source: names[source] ?? source, destination: names[destination] ?? destination)
  }

  /// Whether one of the ends is `port`.
  package func contains(_ port: String) -> Bool { source == port || destination == port }
}
