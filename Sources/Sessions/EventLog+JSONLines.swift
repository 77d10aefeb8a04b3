// SPDX-License-Identifier: MIT

extension EventLog {
  /// The first line of a log: the format's version and the state before the first event.
  ///
  /// - Throws: `EncodingError`.
  public func header() throws -> String {
    fatalError("unwritten")
  }

  /// One event as one line, without a line break.
  ///
  /// - Parameter event: The event.
  /// - Returns: One JSON object.
  /// - Throws: `EncodingError`.
  public static func line(_ event: TowerEvent) throws -> String {
    fatalError("unwritten")
  }

  /// The whole log: header and events, one line each.
  ///
  /// - Throws: `EncodingError`.
  public func jsonLines() throws -> String {
    fatalError("unwritten")
  }

  /// Reads a log; a last line without a line break was cut off by a crash and is left out.
  ///
  /// - Parameter text: Header and events, one line each.
  /// - Throws: `EventLogError`, with the number of the line.
  public init(jsonLines text: String) throws {
    fatalError("unwritten")
  }
}
