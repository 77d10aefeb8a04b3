// SPDX-License-Identifier: MIT

/// A connection from an output port to an input port, by their full names.
struct ConnectionPair: Codable, Hashable, Sendable, Comparable {
  /// The port that the audio comes from.
  let source: String
  /// The port that it goes to.
  let destination: String

  static func < (first: ConnectionPair, second: ConnectionPair) -> Bool {
    (first.source, first.destination) < (second.source, second.destination)
  }

  /// Whether one of the ends is `port`.
  func contains(_ port: String) -> Bool { source == port || destination == port }
}
