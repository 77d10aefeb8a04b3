// SPDX-License-Identifier: MIT

/// The JACK server that the host is, or wants to be, attached to.
public struct ServerStatus: Codable, Sendable, Hashable {
  /// The server's name.
  public var name: String
  /// Its process id, `null` when it is away or cannot be told.
  @OrNull public var pid: Int32?
  /// Whether the host started it and ends it.
  public var owned: Bool
  /// The driver, `null` when it cannot be told.
  @OrNull public var driver: String?
  /// How often the host came back to a server after losing one.
  public var restarts: Int
  /// Whether it runs without the extra period of asynchronous mode, `null` when unknown.
  @OrNull public var synchronous: Bool?
  /// Where the host stands with it.
  public var state: ServerState

  /// Makes the value from its parts.
  public init(
    name: String,
    pid: Int32?,
    owned: Bool,
    driver: String?,
    restarts: Int,
    synchronous: Bool?,
    state: ServerState,
  ) {
    self.name = name
    self.pid = pid
    self.owned = owned
    self.driver = driver
    self.restarts = restarts
    self.synchronous = synchronous
    self.state = state
  }
}

/// Where the host stands with its JACK server.
public enum ServerState: String, Codable, Sendable, Hashable, CaseIterable {
  /// Not there yet.
  case starting
  /// Attached, the engine runs.
  case running
  /// Gone; the host waits for it or restarts it.
  case lost
  /// The host is ending.
  case stopped
}
