// SPDX-License-Identifier: MIT

package import OSC
internal import Synchronization

/// A session manager of the New Session Manager's protocol, scripted by a test, because Debian 12 has none.
public final class SessionManager: Sendable {
  private let peer: OSCPeer
  private let messages: Messages

  private final class Messages: Sendable {
    let all = Mutex<[OSCPeer.Message]>([])
  }

  /// Listens at a port of its own.
  ///
  /// - Throws: The fault of the port.
  public init() throws {
    let messages = Messages()
    self.messages = messages
    peer = try OSCPeer { message in messages.all.withLock { $0.append(message) } }
  }

  /// The value for `$NSM_URL`.
  public var url: String { peer.url }

  /// Removes and gives the first message with this path.
  ///
  /// - Throws: ``TestFailure`` when the time is over.
  package func next(
    _ path: String,
    within limit: Duration = .seconds(60),
  ) async throws -> OSCPeer.Message {
    var found: OSCPeer.Message?
    try await waitUntil("a message \(path)", within: limit) {
      found = messages.all.withLock { all in
        all.firstIndex { $0.path == path }.map { all.remove(at: $0) }
      }
      return found != nil
    }
    guard let found else { throw TestFailure("no message \(path)") }
    return found
  }

  /// The next answer to a request.
  ///
  /// - Parameters:
  ///   - request: The request's name, such as `open`.
  ///   - limit: The longest wait.
  /// - Returns: 0 for a reply, or the code of an error.
  /// - Throws: ``TestFailure`` when the time is over.
  public func answer(
    to request: String,
    within limit: Duration = .seconds(60),
  ) async throws -> Int32 {
    var code: Int32?
    try await waitUntil("an answer to \(request)", within: limit) {
      code = messages.all.withLock { all in
        let place = all.firstIndex {
          ["/reply", "/error"].contains($0.path)
            && $0.values.first == .text("/nsm/client/\(request)")
        }
        guard let place else { return nil }
        let answer = all.remove(at: place)
        guard answer.path == "/error", case .integer(let code) = answer.values[1] else { return 0 }
        return code
      }
      return code != nil
    }
    guard let code else { throw TestFailure("no answer to \(request)") }
    return code
  }

  /// The number of messages with this path that were not taken.
  public func count(of path: String) -> Int {
    messages.all.withLock { all in all.count { $0.path == path } }
  }

  /// Sends a message.
  ///
  /// - Throws: The fault of the message.
  package func send(_ path: String, _ values: [OSCValue] = [], to address: String) throws {
    try peer.send(path, values, to: address)
  }

  /// Accepts the announcement of the client at an address.
  ///
  /// - Throws: The fault of the message.
  public func accept(_ address: String) throws {
    let texts = ["/nsm/server/announce", "Howdy", "Test manager", ":server-control:broadcast:"]
    try send("/reply", texts.map(OSCValue.text), to: address)
  }

  /// Refuses the announcement of the client at an address.
  ///
  /// - Throws: The fault of the message.
  public func refuse(_ address: String, code: Int32, reason: String) throws {
    try send(
      "/error",
      [.text("/nsm/server/announce"), .integer(code), .text(reason)],
      to: address,
    )
  }

  /// Opens a project in the client at an address.
  ///
  /// - Throws: The fault of the message.
  public func open(_ path: String, as clientID: String, at address: String) throws {
    try send("/nsm/client/open", [.text(path), .text("Song"), .text(clientID)], to: address)
  }
}
