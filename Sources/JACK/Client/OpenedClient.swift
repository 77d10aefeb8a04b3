// SPDX-License-Identifier: MIT

internal import CJACK

/// Closes its client with the value, unless it is closed already.
///
/// Moved between threads as a whole: [any-thread].
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
/// closes the client. ``connection`` has the calls that both states allow.
///
/// Moved between threads as a whole: [any-thread].
public struct OpenedClient: ~Copyable {
  /// The client's calls, in this state and the next.
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
  ///   - hearsXruns: Whether JACK tells the client of late cycles. If it does, and the client hangs while each cycle is late, jackd
  ///     answers nobody: it waits up to 2 s for the client with each.
  /// - Returns: The client, to be activated.
  /// - Throws: ``JACKError`` with `noServer`, `nameTaken`, `invalidName`, `otherServerInUse`,
  ///   `openFailed` or `timedOut`.
  ///
  /// [control-thread]
  public static func open(
    name: String,
    server: String? = nil,
    exactName: Bool = false,
    hearsXruns: Bool = true,
  ) throws(JACKError) -> OpenedClient {
    let connection = try ClientConnection.open(
      name: name,
      server: server,
      exactName: exactName,
      hearsXruns: hearsXruns,
    )
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

  /// Joins the graph with an empty callback, for a client that only watches and patches.
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
  /// - Parameter limit: The longest wait, because libjack can hang after the death of a server.
  /// - Returns: The result. Unless it is `timedOut`, JACK makes no further callbacks for this client.
  ///
  /// [control-thread]
  @discardableResult
  public consuming func close(within limit: Duration = .seconds(2)) -> CloseOutcome {
    connection.close(within: limit)
  }
}

/// A client that takes part in the graph: its process callback runs in every cycle.
///
/// Dropping the value closes the client.
///
/// Moved between threads as a whole: [any-thread].
public struct ActiveClient: ~Copyable {
  /// The client's calls, in this state and the one before.
  public var connection: ClientConnection { ownership.connection }

  private let ownership: ClientOwnership

  init(_ ownership: consuming ClientOwnership) {
    self.ownership = ownership
  }

  /// Leaves the graph.
  ///
  /// Its connections are gone, its ports stay; the process callback has returned for the last time.
  ///
  /// - Returns: The client, to be activated again or closed.
  /// - Throws: ``JACKError`` with `refused`, `serverGone` or `timedOut`; the client is closed then.
  ///
  /// [control-thread]
  public consuming func deactivate() throws(JACKError) -> OpenedClient {
    try connection.deactivate()
    return OpenedClient(ownership)
  }

  /// Leaves the graph and closes the client.
  ///
  /// - Parameter limit: The longest wait, because libjack can hang after the death of a server.
  /// - Returns: The result. Unless it is `timedOut`, JACK makes no further callbacks for this client.
  ///
  /// [control-thread]
  @discardableResult
  public consuming func close(within limit: Duration = .seconds(2)) -> CloseOutcome {
    connection.close(within: limit)
  }
}

/// Result of closing a client.
public enum CloseOutcome: Sendable, Hashable {
  /// The server has removed the client.
  case closed
  /// The server had gone before; everything on this side is released.
  case serverWasGone
  /// libjack has not returned. Memory that the callbacks use must never be freed, and this process
  /// can open no other client until libjack returns.
  case timedOut
}
