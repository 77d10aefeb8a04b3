// SPDX-License-Identifier: MIT

public import ControlProtocol
import NIOCore

/// A connection to a host's control socket.
///
/// Every function ends in a bounded time: with an answer, an error or the end of its timeout.
/// [any-thread]
public final class ControlClient: Sendable {
  /// What the host said of itself.
  public let host: Hello.Result

  /// What the host sends to subscribers, for one reader.
  ///
  /// It ends with the connection. A slow reader loses the oldest when 4096 wait.
  public let notifications: AsyncStream<ControlNotification>

  private let link: Link

  private init(host: Hello.Result, link: Link) {
    self.host = host
    self.link = link
    notifications = link.notifications
  }

  deinit { link.channel.close(promise: nil) }

  /// Connects and says hello.
  ///
  /// - Parameters:
  ///   - address: Which host.
  ///   - directory: Where sockets are looked for; `nil` for ``SocketPath/directory()``.
  ///   - clientName: The program's name, for the host's log.
  ///   - timeout: For connecting and hello together.
  /// - Returns: A connection that is ready for calls.
  /// - Throws: ``ControlClientError``; when there is no such host it names those there are.
  public static func connect(
    to address: HostAddress,
    directory: String? = nil,
    clientName: String,
    timeout: Duration = .seconds(5),
  ) async throws(ControlClientError) -> ControlClient {
    let path = try address.path(directory: directory)
    let deadline = ContinuousClock.now + timeout
    let link = try await Link.open(path: path, directory: directory, deadline: deadline)
    do throws(ControlClientError) {
      let hello = Hello.Params(client: clientName)
      let host = try await link.call(Hello.self, hello, timeout: deadline - ContinuousClock.now)
      return ControlClient(host: host, link: link)
    } catch {
      link.channel.close(promise: nil)
      guard error.code == .timedOut else { throw error }
      let fault = "\(path): connecting and hello took longer than \(timeout)"
      throw ControlClientError(.timedOut, fault)
    }
  }

  /// Calls a method and waits for its answer.
  ///
  /// - Throws: ``ControlClientError``; `refused` carries the host's own error.
  public func call<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    timeout: Duration = .seconds(10),
  ) async throws(ControlClientError) -> Method.Result {
    try await link.call(method, params, timeout: timeout)
  }

  /// Ends the connection; calls that wait fail with `connectionClosed`.
  public func close() async {
    // An error here means that it is closed already.
    try? await link.channel.close()
  }
}

extension ControlClient {
  /// Calls a method that takes no parameters.
  public func call<Method: ControlMethod>(
    _ method: Method.Type,
    timeout: Duration = .seconds(10),
  ) async throws(ControlClientError) -> Method.Result where Method.Params == NoParams {
    try await call(method, NoParams(), timeout: timeout)
  }
}
