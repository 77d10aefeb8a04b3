// SPDX-License-Identifier: MIT

/// The host process.
public struct HostProcessStatus: Codable, Sendable, Hashable {
  /// The host's name, that of its socket.
  public var name: String
  /// Its process id.
  public var pid: Int32
  /// The program's version.
  public var version: String
  /// Seconds since it started.
  public var uptimeSeconds: Double
  /// The path of its graph file.
  public var graph: String

  /// Makes the value from its parts.
  public init(
    name: String,
    pid: Int32,
    version: String,
    uptimeSeconds: Double,
    graph: String,
  ) {
    self.name = name
    self.pid = pid
    self.version = version
    self.uptimeSeconds = uptimeSeconds
    self.graph = graph
  }
}
