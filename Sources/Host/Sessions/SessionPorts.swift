// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Patchbay

/// The JACK output ports that feed a session's own strip.
///
/// Pure value: [any-thread].
struct SessionPorts: Sendable, Equatable {
  let patterns: [PortPattern]
  let channels: Int
  /// Whether the ports of each client are dealt out to the channels separately.
  var isDealtByClient = false

  /// Reads the patterns of a request: full names, globs with `*` and `?`, or expressions between slashes.
  ///
  /// - Throws: The fault of the first faulty pattern.
  init(_ texts: [String], channels: Int) throws(PortPattern.Fault) {
    var patterns: [PortPattern] = []
    for text in texts { patterns.append(try PortPattern(Self.expression(text))) }
    self.patterns = patterns
    self.channels = channels
  }

  /// All ports of one client.
  ///
  /// - Throws: A fault if its name is longer than a pattern can be.
  init(client: String, channels: Int) throws(PortPattern.Fault) {
    self.patterns = [try PortPattern(PortPattern.literal(client) + ":.*")]
    self.channels = channels
  }

  /// Whether both take the same ports in the same way.
  static func == (first: SessionPorts, second: SessionPorts) -> Bool {
    first.patterns.map(\.description) == second.patterns.map(\.description)
      && first.channels == second.channels && first.isDealtByClient == second.isDealtByClient
  }

  /// The steps of all patterns: a match of a name takes at most so many for each of its bytes.
  var steps: Int { patterns.map(\.steps).reduce(0, +) }

  /// The connections that feed the strip of this id of a client.
  ///
  /// Ports are dealt out to the channels in natural order; a single port feeds all channels.
  func rule(strip: String, client: String) -> ConnectionRule {
    ConnectionRule(
      owner: strip,
      direction: .intoHost,
      channels: (0..<channels).map { channel in
        ConnectionRule.Channel(
          ownPort: "\(client):\(PortNames.strip(strip, channel: channel))",
          target: isDealtByClient
            ? .dealtByClient(patterns, channel: channel, channels: channels)
            : .dealt(patterns, channel: channel, channels: channels),
        )
      },
    )
  }

  private static func expression(_ text: String) -> String {
    if text.count > 1, text.hasPrefix("/"), text.hasSuffix("/") {
      return String(text.dropFirst().dropLast())
    }
    return text.reduce(into: "") { expression, character in
      switch character {
      case "*": expression += ".*"
      case "?": expression += "."
      default: expression += PortPattern.literal(String(character))
      }
    }
  }
}
