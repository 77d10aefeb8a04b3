// SPDX-License-Identifier: MIT

public import ControlProtocol
public import Logging

/// The control socket's server: reads, frames and checks what clients send, and owns nothing else.
///
/// It runs on one thread of its own ([server-loop]) that never waits for a client or for the
/// handler. All functions can be called from anywhere.
public final class ControlServer: Sendable {
  /// The socket's path.
  public let path: String

  /// Takes the host's name, makes the socket and starts to serve.
  ///
  /// The socket of a host that died is taken over; the name of a living one is refused.
  /// - Throws: ``ControlServerError``; nothing is left behind then.
  /// [any-thread]
  public static func start(
    _ configuration: ControlServerConfiguration,
    handler: any ControlHandler,
    logger: Logger,
  ) async throws(ControlServerError) -> ControlServer {
    fatalError("unwritten")
  }

  private init(path: String) { self.path = path }

  /// What the connections together want to be told at this moment.
  /// [any-thread]
  public var demand: SubscriptionDemand { fatalError("unwritten") }

  /// Sends an event to every connection that subscribed to events.
  /// [any-thread]
  public func publish(_ event: ControlEvent) { fatalError("unwritten") }

  /// Sends levels to every connection that subscribed to meters, each at its interval.
  ///
  /// Call it as often as the shortest interval in ``demand`` asks; levels between two
  /// notifications of a slower connection are merged into its next one.
  /// [any-thread]
  public func publish(_ meters: Meters) { fatalError("unwritten") }

  /// Ends: takes no more connections, gives clients a second to read what was sent, removes the
  /// socket.
  /// [any-thread]
  public func close() async { fatalError("unwritten") }
}
