// SPDX-License-Identifier: MIT

public import ControlProtocol

/// What a control server is called and how much it takes.
public struct ControlServerConfiguration: Sendable {
  /// The host's name; the socket is `<name>.sock`.
  public var hostName: String
  /// The version of the host program, told in `hello`.
  public var hostVersion: String
  /// The directory of the socket, made with mode 0700; `nil` for ``SocketPath/directory()``.
  public var directory: String?
  /// The methods that are understood.
  public var methods = MethodRegistry.standard
  /// What a client may use up.
  public var limits = Limits()
  /// Where the handler is called; `nil` for the pool that all tasks share.
  public var executor: (any TaskExecutor)?
  /// Called once on the server's own thread, before it serves; to raise its priority.
  public var prepareThread: @Sendable () -> Void = {}

  /// Makes a configuration with the default limits.
  public init(hostName: String, hostVersion: String, directory: String? = nil) {
    self.hostName = hostName
    self.hostVersion = hostVersion
    self.directory = directory
  }
}

extension ControlServerConfiguration {
  /// What a client may use up before it is refused, slowed down or cut off.
  public struct Limits: Sendable, Hashable {
    /// The longest line in bytes; a longer one is answered `tooLarge` and ends the connection.
    public var lineBytes = 1 << 20
    /// The most messages in one batch; a longer one is answered `tooLarge`.
    public var batchMessages = 128
    /// Messages per second of one connection; a faster one is read no faster than this.
    public var messagesPerSecond = 20_000.0
    /// Messages that may come at once before the rate counts.
    public var messageBurst = 20_000.0
    /// Bytes waiting for a slow reader before it is cut off.
    public var outboundBytes = 4 << 20
    /// Connections at once; a further one is answered `tooManyConnections` and closed.
    public var connections = 2_048

    /// Makes the default limits.
    public init() {}
  }
}
