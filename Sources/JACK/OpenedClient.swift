// SPDX-License-Identifier: MIT

internal import CJACK

/// Closes its client when nobody has done so.
struct ClientOwnership: ~Copyable {
  let connection: ClientConnection

  init(_ connection: ClientConnection) {
    self.connection = connection
  }

  deinit {
    connection.close(within: .seconds(2))
  }
}

/// For clients that do not process.
///
/// jackd keeps a client without a callback out of the graph: it is never asked for latencies, and a
/// connection to one of its ports stalls the whole server.
@c(multiroute_jack_idle) @_noLocks @_noAllocation
private func idleProcess(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
  0
}

/// A client of a JACK server that does not take part in the graph yet.
///
/// Opened → ``ActiveClient`` → closed, each step consuming the one before. Dropping the value
/// closes the client. What can be done in both states is on ``connection``.
public struct OpenedClient: ~Copyable {
  /// What can be done with the client, in this state and the next.
  public var connection: ClientConnection { ownership.connection }

  private let ownership: ClientOwnership

  init(_ ownership: consuming ClientOwnership) {
    self.ownership = ownership
  }

  /// Opens a client, and never starts a server.
  ///
  /// SIGPIPE is ignored from the first call on, unless the program handles it: libjack writes to
  /// sockets that a dying server has closed.
  ///
  /// - Parameters:
  ///   - name: The name wanted; JACK appends `-01` … `-99` where it is taken.
  ///   - server: The name of the server. Nil stands for $JACK_DEFAULT_SERVER, or `default`.
  ///   - exactName: Whether a taken name is an error instead. PipeWire lets several clients have
  ///     one name, and neither changes nor refuses it.
  /// - Returns: The client, to be activated.
  /// - Throws: ``JACKError`` with `noServer`, `nameTaken`, `invalidName`, `otherServerInUse`,
  ///   `openFailed` or `timedOut`.
  ///
  /// [control-thread]
  public static func open(
    name: String,
    server: String? = nil,
    exactName: Bool = false,
  ) throws(JACKError) -> OpenedClient {
    let connection = try ClientConnection.open(name: name, server: server, exactName: exactName)
    return OpenedClient(ClientOwnership(connection))
  }

  /// Joins the graph: from now on JACK calls `process` in every cycle.
  ///
  /// When it fails the client is closed.
  ///
  /// - Parameters:
  ///   - process: The callback.
  ///   - context: Handed to `process`. Must stay valid until the client is deactivated or closed.
  /// - Returns: The client, in the graph.
  /// - Throws: ``JACKError`` with `refused`, `serverGone` or `timedOut`.
  ///
  /// [control-thread]
  public consuming func activate(
    process: ProcessFunction,
    context: UnsafeMutableRawPointer,
  ) throws(JACKError) -> ActiveClient {
    try unsafe connection.activate(process: process, context: context)
    return ActiveClient(ownership)
  }

  /// Joins the graph with a callback that does nothing: a client that watches and patches.
  ///
  /// When it fails the client is closed.
  ///
  /// - Returns: The client, in the graph.
  /// - Throws: ``JACKError`` with `refused`, `serverGone` or `timedOut`.
  ///
  /// [control-thread]
  public consuming func activate() throws(JACKError) -> ActiveClient {
    try unsafe connection.activate(process: idleProcess, context: nil)
    return ActiveClient(ownership)
  }

  /// Closes the client.
  ///
  /// - Parameter limit: How long to wait: libjack can hang after the death of a server.
  /// - Returns: How it went. Unless it is `timedOut`, JACK calls nothing of this client any more.
  ///
  /// [control-thread]
  @discardableResult
  public consuming func close(within limit: Duration = .seconds(2)) -> CloseOutcome {
    connection.close(within: limit)
  }
}
