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
  /// The reader of requests from the socket.
  let requestDecoder: RequestDecoder
  let encoder = MessageEncoder()
  /// The demand for readers on other threads.
  let demand: DemandCell
  /// The notices to the handler, in order; the stream ends with the server.
  private let notices: AsyncStream<Notice>.Continuation
  /// The turns on the loop.
  let turns: Turns<Connection>
  /// The slots of long lines, which are read by the pool that tasks share.
  let readingSlots = Slots(limit: 1, now: { NIODeadline.now().uptimeNanoseconds })
  let processes: ProcessAccounts
  /// The slots of requests on the handler's thread: while one is carried out, the next one waits there.
  private let requestSlots = Slots(limit: 2, now: { NIODeadline.now().uptimeNanoseconds })
  private var connections: [ConnectionID: Connection] = [:]
  private var meterGroups: [Int: MetersGroup] = [:]
  private var lastID: UInt64 = 0
  /// The connections whose lines may still be carried out, and those that were refused.
  private var admitted = 0
  private var refused = 0
  private var workInHand = 0
  private var logGates: [Complaint: LogGate] = [:]
  private var isClosing = false
  private var idlePromises: [EventLoopPromise<Void>] = []

  /// A fault of clients that the log tells.
  enum Complaint {
    case unauthorised, tooMany, tooFast, tooSlow
  }

  /// The time of one turn of all connections.
  private static let turnNanoseconds: UInt64 = 1_000_000

  /// A message to the handler beside requests.
  enum Notice: Sendable {
    case left(ConnectionID)
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
    processes = ProcessAccounts(limits: configuration.limits, eventLoop: eventLoop)
    turns = Turns(
      budgetNanoseconds: Self.turnNanoseconds,
      now: { NIODeadline.now().uptimeNanoseconds },
      schedule: { delay, body in
        let loop = eventLoop.assumeIsolated()
        switch delay {
        case .soon: loop.execute(body)
        case .nanoseconds(let time): loop.scheduleTask(in: .nanoseconds(Int64(time)), body)
        }
      },
    )
  }

  /// A reader of requests that knows further methods.
  func decoder(adding methods: [any ControlMethod.Type]) -> RequestDecoder {
    RequestDecoder(
      registry: configuration.methods.adding(methods),
      batchLimit: configuration.limits.batchMessages,
    )
  }

  // MARK: Connections

  /// Connections over the limit that may wait for the answer that refuses them.
  static let refusedConnections = 64

  /// Decides about a new connection, and counts it until ``connectionEnded(_:wasAdmitted:)``.
  ///
  /// - Returns: `nil` when there are too many connections even to tell of a refusal.
  func receive(_ transport: any ControlTransport, from origin: ConnectionOrigin) -> Connection? {
    let process = processes.account(of: origin.owner)
    let refusal = refusal(of: origin, process)
    if refusal == nil {
      admitted += 1
      process.connections += 1
    } else {
      let now = NIODeadline.now().uptimeNanoseconds
      guard refused < Self.refusedConnections, process.mayBeTold(nowNanoseconds: now) else {
        return nil
      }
      refused += 1
    }
    lastID += 1
    return Connection(
      id: ConnectionID(
        rawValue: lastID,
        processID: origin.processID,
        grantedRole: origin.grantedRole,
      ),
      origin: origin,
      hub: self,
      transport: transport,
      account: ConnectionAccount(of: process),
      refusal: refusal,
    )
  }

  private func refusal(of origin: ConnectionOrigin, _ process: ProcessAccount) -> ControlError? {
    let limits = configuration.limits
    let owner = origin.owner
    guard origin.mayControl else {
      log(.unauthorised, .warning, "refused a connection of \(origin.name)")
      return ControlError(
        .unauthorised,
        place: "connection",
        fault: "it comes from \(origin.name)",
        allowed: "the user that runs the host, and root",
      )
    }
    guard admitted < limits.connections, !isClosing else {
      log(.tooMany, .warning, "refused a connection, there are \(admitted)")
      return tooMany(
        isClosing ? "the host is ending" : "the host has as many as it takes",
        allowed: "\(limits.connections) at once",
      )
    }
    guard process.connections < limits.connectionsPerProcess else {
      let count = process.connections
      log(.tooMany, .warning, "refused a connection, \(owner) has \(count)")
      return tooMany(
        "its \(owner.kind) has as many as one may have",
        allowed: "\(limits.connectionsPerProcess) of one \(owner.kind) at once",
      )
    }
    guard process.mayConnect(nowNanoseconds: NIODeadline.now().uptimeNanoseconds) else {
      log(.tooMany, .warning, "refused a connection, \(owner) connects too often")
      return tooMany(
        "its \(owner.kind) connects too often",
        allowed: "\(Int(limits.newConnectionsPerSecond)) a second of one \(owner.kind)",
      )
    }
    return nil
  }

  private func tooMany(_ fault: String, allowed: String) -> ControlError {
    ControlError(.tooManyConnections, place: "connection", fault: fault, allowed: allowed)
  }

  /// Remembers a connection whose transport is ready.
  func begin(_ connection: Connection) { connections[connection.id] = connection }

  /// Forgets a connection whose transport is gone.
  func remove(_ id: ConnectionID) {
    subscribe(id, to: nil, metersIntervalMilliseconds: nil)
    connections[id] = nil
    resolveIdle()
  }

  /// Tells the handler that nobody reads the answers of a connection any more.
  func clientLeft(_ connection: Connection) { notices.yield(.left(connection.id)) }

  /// Takes note that the last request of a connection was carried out, and tells the handler.
  func connectionEnded(_ connection: Connection, wasAdmitted: Bool) {
    guard wasAdmitted else {
      refused -= 1
      return
    }
    admitted -= 1
    connection.account.process.connections -= 1
    notices.yield(.closed(connection.id))
  }

  /// Writes a line into the log, unless there was one of the same kind in the last second.
  func log(_ kind: Complaint, _ level: Logger.Level, _ line: String) {
    let now = NIODeadline.now().uptimeNanoseconds
    guard let count = logGates[kind, default: LogGate()].pass(nowNanoseconds: now) else { return }
    let others = count > 1 ? " (and \(count - 1) more before it)" : ""
    logger.log(level: level, "control socket: \(line)\(others)")
  }

  // MARK: Requests

  /// Begins a request when there is a slot on the handler's thread and its process has time left there.
  func queueRequest(of connection: Connection, begin: @escaping () -> Void) {
    workBegins()
    awaitSlot(connection, begin)
  }

  private func awaitSlot(_ connection: Connection, _ begin: @escaping () -> Void) {
    let now = NIODeadline.now().uptimeNanoseconds
    let process = connection.account.process
    let wait = process.handlingWait(nowNanoseconds: now)
    guard wait > 0 else {
      requestSlots.add(connection.account, begin: begin)
      return
    }
    if !process.wasReported {
      process.wasReported = true
      let percent = Int(configuration.limits.handlingShare * 100)
      let name = "\(connection.origin.owner)"
      logger.notice(
        "control socket: requests of \(name) take more than \(percent) % of the time; slowed down"
      )
    }
    eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(wait)) {
      self.awaitSlot(connection, begin)
    }
  }

  /// Takes note of the time of a request on the handler's thread; its first stretch frees the slot.
  func requestRan(of connection: Connection, nanoseconds: UInt64, isFirst: Bool) {
    let now = NIODeadline.now().uptimeNanoseconds
    connection.account.charge(nanoseconds, nowNanoseconds: now)
    connection.account.process.chargeHandling(nanoseconds, nowNanoseconds: now)
    if isFirst { requestSlots.free() }
  }

  /// Takes note of a request or a long line that another thread is given.
  func workBegins() { workInHand += 1 }

  /// Takes note of its end.
  func workEnds() {
    workInHand -= 1
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
    guard workInHand == 0 else { return }
    for promise in idlePromises {
      notices.finish()
      promise.succeed()
    }
    idlePromises = []
  }
}
