// SPDX-License-Identifier: MIT

public import ControlProtocol
import FoundationEssentials
import Glibc
public import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The control socket's server: reads, frames and checks requests.
///
/// It owns no other state.
///
/// It runs on a thread of its own ([server-loop]) that never waits for a client or for the handler. All
/// functions can be called from any thread. Call ``close()`` before releasing it.
public final class ControlServer: Sendable {
  /// The socket's path.
  public let path: String

  private let claim: SocketClaim
  private let group: MultiThreadedEventLoopGroup
  private let hub: NIOLoopBound<Hub>
  private let listener: any Channel
  private let demandCell: DemandCell
  private let encoder = MessageEncoder()
  private let wasClosed = Atomic(false)

  private init(
    claim: SocketClaim,
    group: MultiThreadedEventLoopGroup,
    hub: NIOLoopBound<Hub>,
    listener: any Channel,
    demandCell: DemandCell,
  ) {
    path = claim.path
    self.claim = claim
    self.group = group
    self.hub = hub
    self.listener = listener
    self.demandCell = demandCell
  }

  /// Claims the host's name, makes the socket and starts to serve.
  ///
  /// The socket of a dead host is taken over; the name of a running host is refused. The process's soft limit
  /// of open files is raised as far as the connections need it and the hard limit allows.
  /// - Throws: ``ControlServerError``; the socket is removed then.
  /// [any-thread]
  public static func start(
    _ configuration: ControlServerConfiguration,
    handler: any ControlHandler,
    logger: Logger,
  ) async throws(ControlServerError) -> ControlServer {
    let directory = configuration.directory ?? SocketPath.directory()
    let path = try SocketPath.path(hostName: configuration.hostName, directory: directory)
    try SocketDirectory.prepare(directory)
    let claim = try SocketClaim(path: path)
    // Descriptors that are used up would keep the loop busy with a connection that it cannot accept.
    var limited = configuration
    limited.limits.connections = DescriptorLimit.raise(
      connections: configuration.limits.connections,
      refused: Hub.refusedConnections,
      logger: logger,
    )
    return try await start(limited, claim: claim, path: path, handler: handler, logger: logger)
  }

  private static func start(
    _ configuration: ControlServerConfiguration,
    claim: SocketClaim,
    path: String,
    handler: any ControlHandler,
    logger: Logger,
  ) async throws(ControlServerError) -> ControlServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = group.next()
    let demandCell = DemandCell()
    let (notices, continuation) = AsyncStream.makeStream(of: Hub.Notice.self)
    do {
      let hub = try await eventLoop.submit {
        configuration.prepareThread()
        return NIOLoopBound(
          Hub(
            configuration: configuration,
            handler: handler,
            logger: logger,
            eventLoop: eventLoop,
            demand: demandCell,
            notices: continuation,
          ),
          eventLoop: eventLoop,
        )
      }.get()
      let listener = try await listen(path: path, hub: hub, group: group)
      Task(executorPreference: configuration.executor) { await pass(notices, to: handler) }
      return ControlServer(
        claim: claim,
        group: group,
        hub: hub,
        listener: listener,
        demandCell: demandCell,
      )
    } catch {
      claim.release()
      try? await group.shutdownGracefully()
      throw error as? ControlServerError
        ?? ControlServerError(
          .socket,
          "\(path): the socket cannot be opened: \(systemError(error))"
        )
    }
  }

  private static func listen(
    path: String,
    hub: NIOLoopBound<Hub>,
    group: MultiThreadedEventLoopGroup,
  ) async throws -> any Channel {
    let listener = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 4096)
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        PeerCredentials.read(of: channel).flatMapThrowing { peer in
          try SocketTransport(hub: hub.value, channel: channel).begin(with: peer)
        }
      }
      .bind(unixDomainSocketPath: path).get()
    guard unsafe chmod(path, 0o600) == 0 else {
      let fault = lastSystemError()
      try? await listener.close()
      throw ControlServerError(.socket, "\(path): its mode cannot be set to 0600: \(fault)")
    }
    return listener
  }

  private static func pass(
    _ notices: AsyncStream<Hub.Notice>,
    to handler: any ControlHandler,
  ) async {
    for await notice in notices {
      switch notice {
      case .left(let connection): await handler.clientLeft(connection)
      case .closed(let connection): await handler.connectionClosed(connection)
      case .demand(let demand): await handler.subscriptionsChanged(demand)
      }
    }
  }

  /// The sum of all subscriptions at this moment.
  /// [any-thread]
  public var demand: SubscriptionDemand { demandCell.value }

  /// Sends an event to every connection with a subscription to events.
  /// [any-thread]
  public func publish(_ event: ControlEvent) {
    guard demand.eventSubscribers > 0, let data = try? encoder.notification(.event(event)) else {
      return
    }
    let line = ByteBuffer(line: data)
    listener.eventLoop.execute { [hub] in hub.value.publish(event: line) }
  }

  /// Sends levels to every connection with a subscription to meters, at its interval.
  ///
  /// Call it as often as the shortest interval in ``demand``; levels between two notifications of a slower
  /// connection are merged into its next one. A connection that reads too slowly loses levels, but never
  /// events.
  /// [any-thread]
  public func publish(_ meters: Meters) {
    guard demand.metersIntervalMilliseconds != nil else { return }
    listener.eventLoop.execute { [hub] in
      hub.value.publish(meters, nowNanoseconds: NIODeadline.now().uptimeNanoseconds)
    }
  }

  /// Sends changed parameters to connections; nothing happens where one is gone.
  /// [any-thread]
  public func publish(_ changes: ParameterChanges, to connections: [ConnectionID]) {
    guard let data = try? encoder.notification(.parameters(changes)) else { return }
    let line = ByteBuffer(line: data)
    listener.eventLoop.execute { [hub] in
      for connection in connections { hub.value.send(line, to: connection) }
    }
  }

  /// Joins a client that another server has let in.
  ///
  /// It has the same limits and turns as clients of the socket.
  ///
  /// - Returns: The receiving half of its connection; nil when there are too many connections even to tell of a refusal.
  /// [any-thread]
  package func join(_ guest: ControlGuest, over wire: any GuestWire) async -> GuestLink? {
    guard !wasClosed.load(ordering: .relaxed) else { return nil }
    let eventLoop = listener.eventLoop
    let link = eventLoop.submit { [hub] in
      let hub = hub.value
      let transport = GuestTransport(wire: wire, decoder: hub.decoder(adding: wire.methods))
      return transport.begin(guest, at: hub) ? GuestLink(transport, eventLoop: eventLoop) : nil
    }
    // It cannot fail.
    return try? await link.get()
  }

  /// Ends the server and removes the socket.
  ///
  /// Further connections are refused. Clients have a second to get and read the answers to their requests. A
  /// second call has no effect. If the handler calls it and waits for the end, the answer to its own request is
  /// lost.
  /// [any-thread]
  public func close() async {
    guard !wasClosed.exchange(true, ordering: .relaxed) else { return }
    try? await listener.close()
    let hub = hub
    try? await listener.eventLoop.flatSubmit { hub.value.close(patience: .seconds(1)) }.get()
    claim.release()
    // The loop must outlive the requests in the handler. close() must not wait for them, because one of them
    // may be its caller.
    Task { [group, eventLoop = listener.eventLoop] in
      try? await eventLoop.flatSubmit { hub.value.idle() }.get()
      try? await group.shutdownGracefully()
    }
  }
}
