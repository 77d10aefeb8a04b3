// SPDX-License-Identifier: MIT

public import ControlProtocol
import Synchronization

/// The host's side of a ``ControlServer``.
///
/// The server reads, checks and answers; the handler carries requests out. `hello`, `subscribe` and
/// `unsubscribe` concern the connection only, so the handler does not receive them, but for the role in a hello.
public protocol ControlHandler: Sendable {
  /// Carries out one request.
  ///
  /// Requests of one connection come one at a time, in order; those of different connections come at the same
  /// time. A request that has begun is finished even when its connection is gone.
  /// [any-thread]
  func handle(_ request: ControlRequest, from connection: ConnectionID) async -> ControlReply

  /// Decides on the role of a connection that says hello.
  ///
  /// - Parameters:
  ///   - role: The role that it asks for; nil if it leaves it to the host.
  ///   - connection: The connection.
  /// - Returns: The role that it has.
  /// [any-thread]
  func role(_ role: ClientRole?, of connection: ConnectionID) async -> ClientRole

  /// Called once when nobody reads the answers of a connection any more, but not if all of its requests were carried out.
  ///
  /// ``connectionClosed(_:)`` follows. A request that waits for its client's user has nobody to wait for now.
  /// [any-thread]
  func clientLeft(_ connection: ConnectionID) async

  /// Called once when a connection is gone, after its last request was carried out.
  /// [any-thread]
  func connectionClosed(_ connection: ConnectionID) async

  /// Called when the sum of all subscriptions has changed.
  ///
  /// Calls come one at a time, and the last call always has the latest demand.
  /// [any-thread]
  func subscriptionsChanged(_ demand: SubscriptionDemand) async
}

/// Default implementations: [any-thread].
extension ControlHandler {
  /// The default implementation believes the connection; one that says nothing is a user's.
  public func role(_ role: ClientRole?, of connection: ConnectionID) async -> ClientRole {
    role ?? .user
  }
  /// The default implementation is empty.
  public func clientLeft(_ connection: ConnectionID) async {}
  /// The default implementation is empty.
  public func connectionClosed(_ connection: ConnectionID) async {}
  /// The default implementation is empty.
  public func subscriptionsChanged(_ demand: SubscriptionDemand) async {}
}

/// The id of a connection of a control server; a server never uses an id twice.
///
/// Pure value: [any-thread].
public struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt64
  /// The process at the other end, as the kernel reports it; nil where it does not.
  public let processID: Int32?
  /// The role that another server has given it, as that of the page does; nil for connections of the socket.
  public let grantedRole: ClientRole?

  /// Makes an id from its number.
  public init(rawValue: UInt64, processID: Int32? = nil, grantedRole: ClientRole? = nil) {
    self.rawValue = rawValue
    self.processID = processID
    self.grantedRole = grantedRole
  }

  /// The number with a mark, for logs.
  public var description: String { "connection \(rawValue)" }
}

/// The sum of all connections' subscriptions.
///
/// Pure value: [any-thread].
public struct SubscriptionDemand: Hashable, Sendable {
  /// The shortest interval of a subscription to meters; `nil` without one.
  public var metersIntervalMilliseconds: Int?
  /// The number of connections with a subscription to events.
  public var eventSubscribers: Int

  /// Makes a demand.
  public init(metersIntervalMilliseconds: Int? = nil, eventSubscribers: Int = 0) {
    self.metersIntervalMilliseconds = metersIntervalMilliseconds
    self.eventSubscribers = eventSubscribers
  }
}

/// The latest demand, written by the server's loop and read from anywhere.
final class DemandCell: Sendable {
  private let cell = Mutex(SubscriptionDemand())

  /// The latest demand.
  var value: SubscriptionDemand {
    get { cell.withLock { $0 } }
    set { cell.withLock { $0 = newValue } }
  }
}
