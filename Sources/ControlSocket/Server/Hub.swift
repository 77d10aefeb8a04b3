// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Logging
import NIOCore

/// The state that all connections of a server share. [server-loop]
final class Hub {
  let configuration: ControlServerConfiguration
  let handler: any ControlHandler
  let logger: Logger
  let eventLoop: any EventLoop
  let requestDecoder: RequestDecoder
  let encoder = MessageEncoder()
  /// The demand for readers on other threads.
  let demand: DemandCell
  /// The notices to the handler, in order; the stream ends with the server.
  private let notices: AsyncStream<Notice>.Continuation
  private var connections: [ConnectionID: Connection] = [:]
  private var meterGroups: [Int: MetersGroup] = [:]
  private var lastID: UInt64 = 0
  private var requestsInHand = 0
  private var isClosing = false
  private var idlePromises: [EventLoopPromise<Void>] = []

  /// A message to the handler beside requests.
  enum Notice: Sendable {
    case closed(ConnectionID)
    case demand(SubscriptionDemand)
  }

  init(
    configuration: ControlServerConfiguration,
    handler: any ControlHandler,
    logger: Logger,
    eventLoop: any EventLoop,
    demand: DemandCell,
    notices: AsyncStream<Notice>.Continuation,
  ) {
    self.configuration = configuration
    self.handler = handler
    self.logger = logger
    self.eventLoop = eventLoop
    self.demand = demand
    self.notices = notices
    requestDecoder = RequestDecoder(
      registry: configuration.methods,
      batchLimit: configuration.limits.batchMessages,
    )
  }

  // MARK: Connections

  /// Connections over the limit that may wait for the answer that refuses them.
  static let refusedConnections = 64

  /// Admits a connection, or returns the reason of a refusal.
  func admit(_ connection: Connection, peer: PeerCredentials?) -> ControlError? {
    connections[connection.id] = connection
    guard let peer, peer.mayControl else {
      let who = peer.map { "user \($0.userID) (process \($0.processID))" } ?? "an unknown user"
      logger.warning("control socket: refused a connection of \(who)")
      return ControlError(
        .unauthorised,
        place: "connection",
        fault: "it comes from \(who)",
        allowed: "the user that runs the host, and root",
      )
    }
    guard connections.count <= configuration.limits.connections, !isClosing else {
      logger.warning("control socket: refused a connection, there are \(connections.count - 1)")
      return ControlError(
        .tooManyConnections,
        place: "connection",
        fault: isClosing ? "the host is ending" : "the host has as many as it takes",
        allowed: "\(configuration.limits.connections) at once",
      )
    }
    return nil
  }

  /// The id of a new connection; `nil` when there are too many connections even to refuse one.
  func newConnectionID(of peer: PeerCredentials?) -> ConnectionID? {
    guard connections.count < configuration.limits.connections + Self.refusedConnections else {
      return nil
    }
    lastID += 1
    return ConnectionID(rawValue: lastID, processID: peer?.processID)
  }

  /// Forgets a connection whose channel is gone.
  func remove(_ id: ConnectionID) {
    subscribe(id, to: nil, metersIntervalMilliseconds: nil)
    connections[id] = nil
    resolveIdle()
  }

  /// Tells the handler that a connection is gone, after its last request.
  func connectionEnded(_ id: ConnectionID) {
    notices.yield(.closed(id))
  }

  func requestBegins() { requestsInHand += 1 }

  func requestEnds() {
    requestsInHand -= 1
    resolveIdle()
  }

  // MARK: Subscriptions

  /// Sets the subscription of a connection; `nil` topics end it.
  func subscribe(_ id: ConnectionID, to topics: Set<Topic>?, metersIntervalMilliseconds: Int?) {
    for interval in meterGroups.keys {
      meterGroups[interval]?.members.remove(id)
    }
    if let interval = metersIntervalMilliseconds, topics?.contains(.meters) == true {
      let empty = MetersGroup(intervalMilliseconds: interval)
      meterGroups[interval, default: empty].members.insert(id)
    }
    meterGroups = meterGroups.filter { !$0.value.members.isEmpty }
    connections[id]?.topics = topics ?? []
    connections[id]?.metersIntervalMilliseconds = metersIntervalMilliseconds
    let demand = SubscriptionDemand(
      metersIntervalMilliseconds: meterGroups.keys.min(),
      eventSubscribers: connections.values.count { $0.topics.contains(.events) },
    )
    guard demand != self.demand.value else { return }
    self.demand.value = demand
    notices.yield(.demand(demand))
  }

  /// Sends a line to one connection.
  func send(_ line: ByteBuffer, to id: ConnectionID) { connections[id]?.send(line) }

  func publish(event line: ByteBuffer) {
    for connection in connections.values where connection.topics.contains(.events) {
      connection.send(line)
    }
  }

  func publish(_ meters: Meters, nowNanoseconds: UInt64) {
    for interval in meterGroups.keys {
      guard let due = meterGroups[interval]?.add(meters, nowNanoseconds: nowNanoseconds),
        let data = try? encoder.notification(.meters(due))
      else { continue }
      let line = ByteBuffer(line: data)
      for member in meterGroups[interval]?.members ?? [] {
        connections[member]?.sendUnlessBehind(line)
      }
    }
  }

  // MARK: Ending

  /// Ends every connection after its answers; the future succeeds when all are gone.
  func close(patience: TimeAmount) -> EventLoopFuture<Void> {
    isClosing = true
    for connection in connections.values { connection.finish(patience: patience) }
    let promise = eventLoop.makePromise(of: Void.self)
    closedPromise = promise
    resolveIdle()
    return promise.futureResult
  }

  /// Succeeds when the handler has answered the last request; call it after `close`.
  func idle() -> EventLoopFuture<Void> {
    let promise = eventLoop.makePromise(of: Void.self)
    idlePromises.append(promise)
    resolveIdle()
    return promise.futureResult
  }

  private var closedPromise: EventLoopPromise<Void>?

  private func resolveIdle() {
    guard connections.isEmpty else { return }
    closedPromise?.succeed()
    closedPromise = nil
    guard requestsInHand == 0 else { return }
    for promise in idlePromises {
      notices.finish()
      promise.succeed()
    }
    idlePromises = []
  }
}
