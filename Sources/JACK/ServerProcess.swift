// SPDX-License-Identifier: MIT

public import Logging

/// A JACK server that runs as a child of this process, and dies with it.
public final class ServerProcess: Sendable {
  /// How a server ended.
  public struct Exit: Sendable, Hashable {
    /// The process id it had.
    public let pid: Int32
    /// The status it returned; nil when a signal ended it.
    public let status: Int32?
    /// The signal that ended it; nil when it returned.
    public let signal: Int32?
    /// The last lines it wrote.
    public let lastLines: [String]
  }

  /// The ends that nobody asked for, for one reader.
  public let exits: AsyncStream<Exit>

  /// Prepares a server; ``start(within:)`` starts it.
  ///
  /// - Parameters:
  ///   - configuration: What to start.
  ///   - logger: Takes what the server writes.
  public init(_ configuration: ServerConfiguration, logger: Logger = Logger(label: "jackd")) {
    fatalError("unwritten")
  }

  /// What runs, or would be started. [any-thread]
  public var configuration: ServerConfiguration { fatalError("unwritten") }
  /// The process id; nil while it does not run. [any-thread]
  public var pid: Int32? { fatalError("unwritten") }
  /// Whether it runs. [any-thread]
  public var isRunning: Bool { pid != nil }
  /// The name of the driver that is used, such as `alsa`. [any-thread]
  public var driverName: String { fatalError("unwritten") }
  /// Why the server runs without real-time scheduling although asked for; nil if it does not.
  public var realtimeFallbackReason: String? { fatalError("unwritten") }

  /// Starts the server and waits until a client can open.
  ///
  /// All clients of this process must be closed. Does nothing when it runs.
  ///
  /// - Parameter limit: How long to wait.
  /// - Throws: ``JACKError`` with `serverNotInstalled`, `serverDidNotStart` (with jackd's last lines) or
  ///   `otherServerInUse`.
  ///
  /// [control-thread]
  public func start(within limit: Duration = .seconds(10)) async throws(JACKError) {
    fatalError("unwritten")
  }

  /// Stops the server if it runs, and starts it with another configuration.
  ///
  /// - Throws: As ``start(within:)``. [control-thread]
  public func restart(
    with configuration: ServerConfiguration? = nil,
    within limit: Duration = .seconds(10),
  ) async throws(JACKError) {
    fatalError("unwritten")
  }

  /// Ends the server and reaps it.
  ///
  /// - Parameter limit: How long after SIGTERM to send SIGKILL.
  ///
  /// [control-thread]
  public func stop(within limit: Duration = .seconds(3)) async {
    fatalError("unwritten")
  }
}
