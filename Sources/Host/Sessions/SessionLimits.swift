// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket

/// The sessions and patterns that programs have over the socket, against their limits.
///
/// The control thread matches each pattern with each port that comes: with all steps of a connection a name of 319 bytes, the
/// longest, takes a few milliseconds. Pure value: [any-thread].
struct SessionLimits {
  /// The most sessions of one connection.
  static let sessionsOfConnection = 64
  /// The most sessions of all connections.
  static let sessions = 1_024
  /// The most files that the host plays for one connection: each has memory for what is read ahead.
  static let filesOfConnection = 16
  /// The most files that the host plays for all connections.
  static let files = 128
  /// The most patterns of one connection.
  static let patternsOfConnection = 256
  /// The most steps of the patterns of one connection.
  static let stepsOfConnection = 8_192
  /// The most steps of the patterns of all connections.
  static let steps = 32_768

  private let own: [HeldSession]
  private let all: [HeldSession]

  /// Counts what a connection has, and what all have.
  ///
  /// - Parameters:
  ///   - sessions: The sessions to count.
  ///   - connection: The connection that asks.
  init(_ sessions: some Sequence<HeldSession>, of connection: ConnectionID) {
    all = sessions.filter { if case .connection = $0.owner { true } else { false } }
    own = all.filter { $0.owner == .connection(connection) }
  }

  /// Checks that there is room for one more session.
  ///
  /// - Throws: `refused` with the limit.
  func checkSession() throws(ControlError) {
    try Self.check(own.count + 1, Self.sessionsOfConnection, "sessions of this connection")
    try Self.check(all.count + 1, Self.sessions, "sessions of all connections")
  }

  /// Checks that there is room for one more file.
  ///
  /// - Throws: `refused` with the limit.
  func checkFile() throws(ControlError) {
    let own = own.count(where: \.playsFile) + 1
    try Self.check(own, Self.filesOfConnection, "files of this connection", "file")
    let all = all.count(where: \.playsFile) + 1
    try Self.check(all, Self.files, "files of all connections", "file")
  }

  /// Checks that there is room for the patterns of a strip; nil for none.
  ///
  /// - Throws: `refused` with the limit.
  func check(_ ports: SessionPorts?) throws(ControlError) {
    guard let ports else { return }
    let patterns = own.reduce(ports.patterns.count) { $0 + ($1.ports?.patterns.count ?? 0) }
    try Self.check(patterns, Self.patternsOfConnection, "patterns of this connection", "ports")
    let ownSteps = own.reduce(ports.steps) { $0 + ($1.ports?.steps ?? 0) }
    try Self.check(
      ownSteps,
      Self.stepsOfConnection,
      "steps of the patterns of this connection",
      "ports"
    )
    let steps = all.reduce(ports.steps) { $0 + ($1.ports?.steps ?? 0) }
    try Self.check(steps, Self.steps, "steps of the patterns of all connections", "ports")
  }

  private static func check(
    _ count: Int,
    _ limit: Int,
    _ what: String,
    _ place: String = "session",
  ) throws(ControlError) {
    guard count > limit else { return }
    throw ControlError(
      .refused,
      place: place,
      fault: "with this request there are \(count) \(what)",
      allowed: "\(limit) \(what); close sessions"
        + (place == "ports" ? ", or ask for fewer and shorter patterns" : ""),
    )
  }
}
