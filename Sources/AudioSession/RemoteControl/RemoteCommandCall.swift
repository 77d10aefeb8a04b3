// SPDX-License-Identifier: MIT

internal import ControlProtocol

/// A remote-control command as it travels.
struct RemoteCommandCall: Hashable, Sendable {
  let name: String
  /// Where to with `seek`, how far with `skipForward` and `skipBackward`.
  var seconds: Double?
  /// How fast with `rate`.
  var rate: Double?

  init(_ name: String, seconds: Double? = nil, rate: Double? = nil) {
    self.name = name
    self.seconds = seconds
    self.rate = rate
  }

  /// Reads one from the facts of an event; nil where there is none.
  init?(_ facts: [String: JSONValue]) {
    guard case .string(let name)? = facts["command"] else { return nil }
    self.init(name, seconds: Self.number(facts["seconds"]), rate: Self.number(facts["rate"]))
  }

  /// Whether it starts or stops play.
  var isTransport: Bool { ["play", "pause", "toggle", "stop"].contains(name) }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .integer(let value)?: Double(value)
    case .number(let value)?: value
    default: nil
    }
  }
}
