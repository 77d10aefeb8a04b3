// SPDX-License-Identifier: MIT

public import ControlProtocol
import NIOCore

/// A connection to a host's control socket.
///
/// Every function ends in a bounded time: with an answer, an error or its timeout.
/// [any-thread]
public final class ControlClient: Sendable {
  /// The host's description of itself.
  public let host: Hello.Result

  /// The host's notifications to subscribers, for one reader.
  ///
  /// The stream ends with the connection. With 4096 waiting notifications a slow reader loses the oldest.
  public let notifications: AsyncStream<ControlNotification>

  private let link: Link

  private init(host: Hello.Result, link: Link) {
    self.host = host
    self.link = link
    notifications = link.notifications
  }

  deinit { link.close() }

  /// Connects and says hello.
  ///
  /// Only a host of the own user or of root gets a byte, and only such a user's folder is looked at; root reaches
  /// the hosts of others by the paths of their sockets.
  ///
  /// - Parameters:
  ///   - address: The host to connect to.
  ///   - directory: The directory of the sockets; `nil` for ``SocketPath/directory()``.
  ///   - clientName: The program's name, for the host's log.
  ///   - role: The role to ask for; nil to leave it to the host.
  ///   - topics: Topics to subscribe to, with the same message: it saves waiting for the host once.
  ///   - timeout: The limit for connecting, hello and subscribing together.
  /// - Returns: A connection that is ready for calls.
  /// - Throws: ``ControlClientError``; for an unknown host it names the known ones.
  /// [any-thread]
  public static func connect(
    to address: HostAddress,
    directory: String? = nil,
    clientName: String,
    role: ClientRole? = nil,
    subscribingTo topics: [Topic] = [],
    timeout: Duration = .seconds(5),
  ) async throws(ControlClientError) -> ControlClient {
    let path = try address.path(directory: directory, looksAtOnlySocket: false)
    let deadline = ContinuousClock.now + timeout
    let link: Link
    do throws(ControlClientError) {
      link = try await Link.open(
        path: path,
        directory: directory,
        trust: HostTrust(address),
        deadline: deadline,
      )
    } catch {
      // The only socket of the folder is that of a dead host.
      guard address == .only, error.code == .hostDead || error.code == .noSuchHost else {
        throw error
      }
      throw .noSuchHost(nil, directory: directory)
    }
    do throws(ControlClientError) {
      let params = Hello.Params(client: clientName, role: role)
      let host = try await hello(params, subscribingTo: topics, on: link, deadline)
      return ControlClient(host: host, link: link)
    } catch {
      link.close()
      guard error.code == .timedOut else { throw error }
      let fault = "\(path): connecting and hello took longer than \(timeout)"
      throw ControlClientError(.timedOut, fault)
    }
  }

  /// Says hello and subscribes, to a host of an earlier release without a role.
  private static func hello(
    _ params: Hello.Params,
    subscribingTo topics: [Topic],
    on link: Link,
    _ deadline: ContinuousClock.Instant,
  ) async throws(ControlClientError) -> Hello.Result {
    let rest = deadline - ContinuousClock.now
    let hello = try link.send(Hello.self, params, timeout: rest)
    let subscription =
      topics.isEmpty
      ? nil : try link.send(Subscribe.self, Subscribe.Params(topics: topics), timeout: rest)
    do throws(ControlClientError) {
      let host = try await link.result(of: hello)
      if let subscription { _ = try await link.result(of: subscription) }
      return host
    } catch {
      guard case .refused(let reason) = error.code, reason.code == .invalidParams,
        params.role != nil
      else { throw error }
      var params = params
      params.role = nil
      return try await self.hello(params, subscribingTo: topics, on: link, deadline)
    }
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Throws: ``ControlClientError``; `refused` contains the host's own error.
  public func call<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    timeout: Duration = .seconds(10),
  ) async throws(ControlClientError) -> Method.Result {
    try await link.call(method, params, timeout: timeout)
  }

  /// Ends the connection; waiting calls fail with `connectionClosed`.
  public func close() async {
    // An error here means that the connection is closed already.
    try? await link.channel.close()
  }
}

extension ControlClient {
  /// Calls a method without parameters.
  public func call<Method: ControlMethod>(
    _ method: Method.Type,
    timeout: Duration = .seconds(10),
  ) async throws(ControlClientError) -> Method.Result where Method.Params == NoParams {
    try await call(method, NoParams(), timeout: timeout)
  }
}
