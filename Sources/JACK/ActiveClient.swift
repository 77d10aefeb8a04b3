// SPDX-License-Identifier: MIT

/// A client that takes part in the graph: its process callback runs in every cycle.
///
/// Dropping the value closes the client.
public struct ActiveClient: ~Copyable {
  /// What can be done with the client, in this state and the one before.
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
  /// - Parameter limit: How long to wait: libjack can hang after the death of a server.
  /// - Returns: How it went. Unless it is `timedOut`, JACK calls nothing of this client any more.
  ///
  /// [control-thread]
  @discardableResult
  public consuming func close(within limit: Duration = .seconds(2)) -> CloseOutcome {
    connection.close(within: limit)
  }
}

/// How the closing of a client went.
public enum CloseOutcome: Sendable, Hashable {
  /// The server has let it go.
  case closed
  /// The server had gone before; everything on this side is released.
  case serverWasGone
  /// libjack has not come back. What the callbacks use must never be freed, and this process
  /// can open no other client until it does.
  case timedOut
}
