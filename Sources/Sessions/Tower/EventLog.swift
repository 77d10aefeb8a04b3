// SPDX-License-Identifier: MIT

internal import FoundationEssentials

/// A run of the tower that can be saved and replayed: a state and the events after it.
///
/// Pure value: [any-thread].
public struct EventLog: Hashable, Sendable {
  /// The state before the first event.
  public let start: TowerState
  /// The events, oldest first.
  public private(set) var events: [TowerEvent]

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - start: The state before the first event.
  ///   - events: The events, oldest first.
  public init(start: TowerState, events: [TowerEvent] = []) {
    self.start = start
    self.events = events
  }

  /// Adds an event.
  ///
  /// - Parameter event: The event.
  public mutating func append(_ event: TowerEvent) {
    events.append(event)
  }

  /// Runs the tower over the events.
  ///
  /// - Returns: The effects of each event, and the state after the last one.
  public func replay() -> (effects: [[TowerEffect]], state: TowerState) {
    var tower = Tower(state: start)
    let effects = events.map { tower.step($0) }
    return (effects, tower.state)
  }
}

/// A saved log that cannot be read.
public struct EventLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of the line, from 1.
  public let line: Int
  /// The fault, and the allowed values.
  public let message: String

  /// Place and fault.
  public var description: String { "line \(line): \(message)" }
}

extension EventLog {
  /// The version of the format this code writes and reads.
  ///
  /// Since 3 a session tells its origin, so that it can be rehearsed with another policy.
  public static let formatVersion = 3

  private struct Header: Codable {
    var multirouteEventLog: Int
    var start: TowerState
  }

  /// The first line of a log: the format's version and the state before the first event.
  ///
  /// - Throws: `EncodingError`.
  /// - Returns: One JSON object, without a line break.
  public func header() throws -> String {
    try Self.encode(Header(multirouteEventLog: Self.formatVersion, start: start))
  }

  /// One event as one line, without a line break.
  ///
  /// - Parameter event: The event.
  /// - Returns: One JSON object.
  /// - Throws: `EncodingError`.
  public static func line(_ event: TowerEvent) throws -> String {
    try encode(event)
  }

  /// The whole log: header and events, one line each.
  ///
  /// - Throws: `EncodingError`.
  /// - Returns: The lines, each with its line break.
  public func jsonLines() throws -> String {
    var text = try header() + "\n"
    for event in events { text += try Self.line(event) + "\n" }
    return text
  }

  /// Reads a log.
  ///
  /// A last line without a line break was cut off by a crash and is ignored.
  ///
  /// - Parameter text: Header and events, one line each.
  /// - Throws: `EventLogError`, with the number of the line.
  public init(jsonLines text: String) throws(EventLogError) {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines.removeLast()
    guard let first = lines.first else {
      throw EventLogError(line: 1, message: "empty; a log starts with its header line")
    }
    let header = try Self.decode(Header.self, from: first, line: 1)
    guard header.multirouteEventLog == Self.formatVersion else {
      throw EventLogError(
        line: 1,
        message: "format \(header.multirouteEventLog); allowed: \(Self.formatVersion)",
      )
    }
    self.init(start: header.start)
    for (offset, line) in lines.enumerated().dropFirst() {
      append(try Self.decode(TowerEvent.self, from: line, line: offset + 1))
    }
  }

  /// The number of activations that no host comes to; the tower counts on from the one of the first line.
  private static let mostActivations: UInt64 = 1 << 53

  /// Checks what no host writes otherwise: a log begins before its first session, and time does not go back.
  ///
  /// - Throws: `EventLogError`, with the number of the line.
  public func checkOrder() throws(EventLogError) {
    guard start.sessions.isEmpty, start.permissionQueue.isEmpty, start.players.isEmpty else {
      throw EventLogError(line: 1, message: "there are sessions already; a log begins without")
    }
    guard start.activations <= Self.mostActivations else {
      throw EventLogError(
        line: 1,
        message: "\(start.activations) activations; allowed: \(Self.mostActivations) at most",
      )
    }
    for (index, pair) in zip(events, events.dropFirst()).enumerated()
    where pair.1.timeNanoseconds < pair.0.timeNanoseconds {
      throw EventLogError(line: index + 3, message: "the event is before the one above it")
    }
  }

  private static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type,
    from text: Substring,
    line: Int
  ) throws(EventLogError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch {
      throw EventLogError(line: line, message: "\(error); allowed: one JSON object of this format")
    }
  }
}
