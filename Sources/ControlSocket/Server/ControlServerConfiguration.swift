// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The name and the limits of a control server.
///
/// Pure value: [any-thread].
public struct ControlServerConfiguration: Sendable {
  /// The host's name; the socket is `<name>.sock`.
  public var hostName: String
  /// The version of the host program, for `hello`.
  public var hostVersion: String
  /// The directory of the socket, made with mode 0700; `nil` for ``SocketPath/directory()``.
  public var directory: String?
  /// The methods that the server accepts.
  public var methods = MethodRegistry.standard
  /// The limits of each client.
  public var limits = Limits()
  /// The executor that calls the handler; `nil` for the pool that all tasks share.
  ///
  /// With one, two requests at a time are handed to it, and the time that they take is measured and limited.
  public var executor: (any MeteredExecutor)?
  /// Called once on the server's own thread, before it serves, to raise its priority.
  public var prepareThread: @Sendable () -> Void = {}

  /// Makes a configuration with the default limits.
  public init(hostName: String, hostVersion: String, directory: String? = nil) {
    self.hostName = hostName
    self.hostVersion = hostVersion
    self.directory = directory
  }
}

/// Pure value: [any-thread].
extension ControlServerConfiguration {
  /// The limits at which a client is refused, slowed down or disconnected.
  public struct Limits: Sendable, Hashable {
    /// The longest line in bytes; a longer one is answered with `tooLarge` and ends the connection.
    public var lineBytes = 1 << 20
    /// The most messages in one batch; a longer one is answered with `tooLarge`.
    public var batchMessages = 128
    /// Messages per second of one connection; a faster client is slowed down to this rate.
    public var messagesPerSecond = 20_000.0
    /// Messages that may come at once before the rate applies.
    public var messageBurst = 20_000.0
    /// Bytes that may wait for a slow reader before it is disconnected.
    public var outboundBytes = 4 << 20
    /// Connections at once; a further one is answered with `tooManyConnections` and closed.
    public var connections = 2_048
    /// Connections of one process at once; as many may come at once before the rate applies.
    public var connectionsPerProcess = 1_024
    /// New connections of one process per second; further ones are refused.
    public var newConnectionsPerSecond = 200.0
    /// The share of the executor's time that the requests of one process may take, 0 to 1; more of them wait.
    public var handlingShare = 0.5
    /// The executor's time, in seconds, that they may take at once before the share applies.
    public var handlingBurstSeconds = 0.5

    /// Makes the default limits.
    public init() {}
  }
}

/// The reason why a control server could not start.
///
/// Pure value: [any-thread].
public struct ControlServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public var code: Code
  /// One sentence with the place, the fault and a remedy.
  public var description: String

  /// The kinds of faults.
  public enum Code: Hashable, Sendable {
    /// The host's name cannot be a socket's name, or the path is too long.
    case badName
    /// The directory cannot be made, or belongs to another user.
    case directory
    /// A living host has the name already.
    case nameTaken
    /// The socket cannot be made.
    case socket
  }

  /// Makes an error.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}
