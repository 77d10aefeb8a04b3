// SPDX-License-Identifier: MIT

public import ControlProtocol

/// A handler made of one closure per method, each with that method's own types.
///
/// ```swift
/// let router = ControlRouter()
///   .on(SetGain.self) { params, _ in try await host.setGain(params) }
///   .on(GetStatus.self) { _, _ in await host.status() }
/// ```
///
/// Pure value; the closures run on any thread: [any-thread].
public struct ControlRouter: ControlHandler {
  private typealias Route = @Sendable (ControlRequest, ConnectionID) async -> ControlReply

  private var routes: [String: Route] = [:]
  private var refusal: @Sendable (ControlRequest, ConnectionID) async -> ControlError? = { _, _ in
    nil
  }
  private var decided: @Sendable (ClientRole?, ConnectionID) async -> ClientRole = { role, _ in
    role ?? .user
  }
  private var left: @Sendable (ConnectionID) async -> Void = { _ in }
  private var closed: @Sendable (ConnectionID) async -> Void = { _ in }
  private var demanded: @Sendable (SubscriptionDemand) async -> Void = { _ in }

  /// Makes a router without methods.
  public init() {}

  /// Adds a method.
  public func on<Method: ControlMethod>(
    _ method: Method.Type,
    _ body:
      @escaping @Sendable (Method.Params, ConnectionID) async throws(ControlError) ->
      Method.Result,
  ) -> ControlRouter {
    var router = self
    router.routes[method.name] = { request, connection in
      guard let params = request.params(for: method) else { return .failure(.notHandled(request)) }
      do throws(ControlError) {
        return .success(try await body(params, connection))
      } catch {
        return .failure(error)
      }
    }
    return router
  }

  /// Sets the closure that refuses requests which are not for everybody, before they reach their methods' closures.
  public func refusing(
    _ refusal: @escaping @Sendable (ControlRequest, ConnectionID) async -> ControlError?
  ) -> ControlRouter {
    var router = self
    router.refusal = refusal
    return router
  }

  /// Sets the closure that decides on the role of a connection that says hello.
  public func onHello(
    _ body: @escaping @Sendable (ClientRole?, ConnectionID) async -> ClientRole
  ) -> ControlRouter {
    var router = self
    router.decided = body
    return router
  }

  /// Sets the closure that runs when nobody reads the answers to a connection's requests any more.
  public func onClientLeft(
    _ body: @escaping @Sendable (ConnectionID) async -> Void
  ) -> ControlRouter {
    var router = self
    router.left = body
    return router
  }

  /// Sets the closure that runs after a connection is gone.
  public func onConnectionClosed(
    _ body: @escaping @Sendable (ConnectionID) async -> Void
  ) -> ControlRouter {
    var router = self
    router.closed = body
    return router
  }

  /// Sets the closure that runs after a change of subscriptions.
  public func onSubscriptionsChanged(
    _ body: @escaping @Sendable (SubscriptionDemand) async -> Void
  ) -> ControlRouter {
    var router = self
    router.demanded = body
    return router
  }

  /// Passes the request to its method's closure.
  public func handle(
    _ request: ControlRequest,
    from connection: ConnectionID,
  ) async -> ControlReply {
    guard let route = routes[request.method.name] else { return .failure(.notHandled(request)) }
    if request.access != .everybody, let error = await refusal(request, connection) {
      return .failure(error)
    }
    return await route(request, connection)
  }

  /// Asks the closure for hellos.
  public func role(_ role: ClientRole?, of connection: ConnectionID) async -> ClientRole {
    await decided(role, connection)
  }

  /// Runs the closure for clients that have left.
  public func clientLeft(_ connection: ConnectionID) async { await left(connection) }

  /// Runs the closure for closed connections.
  public func connectionClosed(_ connection: ConnectionID) async { await closed(connection) }

  /// Runs the closure for changed subscriptions.
  public func subscriptionsChanged(_ demand: SubscriptionDemand) async { await demanded(demand) }
}

extension ControlError {
  /// The error for a method of the protocol that the host does not handle.
  static func notHandled(_ request: ControlRequest) -> ControlError {
    ControlError(
      .methodNotFound,
      place: request.method.name,
      fault: "this host does not have the method",
      allowed: "the methods in hello's capabilities",
    )
  }
}
