// SPDX-License-Identifier: MIT

/// Something that happened: the parameters of the notification `event`.
///
/// Pure value: [any-thread].
public struct ControlEvent: Sendable, Hashable {
  /// The time at which it happened.
  public var time: EventTime
  /// One sentence for people.
  public var message: String
  /// The kind and its details, for programs.
  public var payload: EventPayload

  /// The kind; nil for one that this version does not know.
  public var kind: EventKind? { payload.kind }

  /// The kind's name on the wire.
  public var kindName: String { payload.kindName }

  /// Makes the value from its parts.
  public init(_ payload: EventPayload, time: EventTime, message: String) {
    self.payload = payload
    self.time = time
    self.message = message
  }
}

extension ControlEvent: Codable {
  enum CodingKeys: String, CodingKey { case kind, time, message, details }

  /// Reads an event; a kind, or details, that this version does not know become `EventPayload.unknown`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    time = try container.decode(EventTime.self, forKey: .time)
    message = try container.decode(String.self, forKey: .message)
    let kind = try container.decode(String.self, forKey: .kind)
    let details = EventDetailsReader(container: container)
    do {
      payload = try EventPayload(kind: kind, details: details)
    } catch {
      // A host of another version: its sentence is still worth reading.
      payload = .unknown(kind: kind, details: try details())
    }
  }

  /// Writes the event with `kind` and `details` as keys of one object.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(payload.kindName, forKey: .kind)
    try container.encode(time, forKey: .time)
    try container.encode(message, forKey: .message)
    try container.encode(payload.details, forKey: .details)
  }
}

/// Reads the details of an event as the type that its kind asks for.
///
/// Pure value: [any-thread].
struct EventDetailsReader {
  let container: KeyedDecodingContainer<ControlEvent.CodingKeys>

  /// Reads them.
  ///
  /// - Throws: A `DecodingError` or `ControlError` that names the key.
  func callAsFunction<Details: Decodable>() throws -> Details {
    try container.decode(Details.self, forKey: .details)
  }
}

/// The time of an event on every clock that is known.
///
/// Pure value: [any-thread].
public struct EventTime: Codable, Sendable, Hashable {
  /// The JACK frame, `null` while there is no server.
  @OrNull public var frame: UInt64?
  /// CLOCK_MONOTONIC, for differences on this machine.
  public var monotonicNanoseconds: UInt64
  /// Seconds since 1970-01-01 UTC, for people.
  public var wallSeconds: Double

  /// Makes the value from its parts.
  public init(
    frame: UInt64?,
    monotonicNanoseconds: UInt64,
    wallSeconds: Double,
  ) {
    self.frame = frame
    self.monotonicNanoseconds = monotonicNanoseconds
    self.wallSeconds = wallSeconds
  }
}
