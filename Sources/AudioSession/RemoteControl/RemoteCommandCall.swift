// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// A remote-control command as it travels: its name, and where to with `seek`.
struct RemoteCommandCall: Hashable, Sendable {
  let name: String
  let seconds: Double?

  init(_ name: String, seconds: Double? = nil) {
    self.name = name
    self.seconds = seconds
  }

  /// Reads one from the facts of an event; nil where there is none.
  init?(_ facts: [String: JSONValue]) {
    guard case .string(let name)? = facts["command"] else { return nil }
    self.name = name
    seconds =
      switch facts["seconds"] {
      case .integer(let value)?: Double(value)
      case .number(let value)?: value
      default: nil
      }
  }

  /// Whether it starts or stops play.
  var isTransport: Bool { ["play", "pause", "toggle", "stop"].contains(name) }
}
