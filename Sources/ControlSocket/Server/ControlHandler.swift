// SPDX-License-Identifier: MIT

public import ControlProtocol

/// The side of the host that a ``ControlServer`` talks to.
///
/// The server reads, checks and answers; what a request does is up to the handler. `hello`,
/// `subscribe` and `unsubscribe` concern the connection only and never reach it.
public protocol ControlHandler: Sendable {
  /// Carries out one request.
  ///
  /// Requests of one connection come one at a time, in order; those of different connections at
  /// the same time. A request that was begun is finished also when its connection is gone.
  /// [any-thread]
  func handle(_ request: ControlRequest, from connection: ConnectionID) async -> ControlReply

  /// Hears that a connection is gone, once, after its last request was carried out.
  /// [any-thread]
  func connectionClosed(_ connection: ConnectionID) async

  /// Hears that the connections together want something else to be published.
  ///
  /// Calls come one at a time and the last one always tells the latest demand.
  /// [any-thread]
  func subscriptionsChanged(_ demand: SubscriptionDemand) async
}

extension ControlHandler {
  /// Does nothing.
  public func connectionClosed(_ connection: ConnectionID) async {}
  /// Does nothing.
  public func subscriptionsChanged(_ demand: SubscriptionDemand) async {}
}
