// SPDX-License-Identifier: MIT

/// Something that happened: the parameters of the notification `event`.
public struct ControlEvent: Codable, Sendable, Hashable {
  /// What happened.
  public var kind: EventKind
  /// When.
  public var time: EventTime
  /// One sentence for people.
  public var message: String
  /// The parts for programs; docs/protocol.md lists them by kind.
  public var details: [String: JSONValue]

  /// Makes the value from its parts.
  public init(
    kind: EventKind,
    time: EventTime,
    message: String,
    details: [String: JSONValue],
  ) {
    self.kind = kind
    self.time = time
    self.message = message
    self.details = details
  }
}
