// SPDX-License-Identifier: MIT

/// The content of a web server: answers to requests, and sessions over WebSockets.
///
/// The server has checked the access of each request before. [any-thread]
package protocol WebSite: Sendable {
  /// Whether a path takes POST, without a body.
  func takesPosts(at path: String) -> Bool

  /// Answers a request.
  func answer(_ request: WebRequest) async -> WebResponse

  /// Begins a session over a WebSocket.
  ///
  /// - Returns: Nil for a path without sessions.
  func session(for request: WebRequest, on link: WebLink) -> (any WebSession)?
}

/// The default: [any-thread].
extension WebSite {
  /// A site to read only.
  package func takesPosts(at path: String) -> Bool { false }
}

/// The site's side of one WebSocket. [any-thread]
package protocol WebSession: Sendable {
  /// Takes in the beginning of the connection, before all messages.
  func opened() async

  /// Takes in a message; the next one comes when it returns.
  func received(_ message: WebMessage) async

  /// Takes in that nobody is at the other side any more, perhaps while a message is being taken in; it must not wait.
  func left()

  /// Takes in the end of the connection; nothing comes after it.
  func closed() async
}

/// The default: [any-thread].
extension WebSession {
  /// Nothing: the end is enough.
  package func left() {}
}

/// A message over a WebSocket.
///
/// Pure value: [any-thread].
package enum WebMessage: Hashable, Sendable {
  /// A text frame.
  case text(String)
  /// A binary frame.
  case binary([UInt8])

  /// The size in bytes.
  var byteCount: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }
}

/// A checked request for a page.
///
/// Pure value: [any-thread].
package struct WebRequest: Hashable, Sendable {
  /// The path as it was sent, such as `/strip/my%20deck`; it begins with a slash.
  package let path: String
  /// The parts of the query between `&`, such as `VALUE`; without the token.
  package let query: [String]
  /// The address of the other side, without the port.
  package let peer: String
  /// The values of all `If-None-Match` headers: marks of the copies that the other side has.
  package let marks: [String]
  /// The visitor; nil for somebody whom nobody has let in.
  package var visitor: WebVisitor?
  /// Whether the method is POST.
  var isPost = false
  /// The token in the header `Authorization`.
  var bearer: String?
  /// The server's port.
  var port = 0
  /// Whether the connection is encrypted.
  var isSecure = false

  /// Makes a request from its parts.
  package init(
    path: String,
    query: [String] = [],
    peer: String = "127.0.0.1",
    marks: [String] = [],
  ) {
    self.path = path
    self.query = query
    self.peer = peer
    self.marks = marks
  }

  /// Reads the target of a request line.
  ///
  /// - Returns: Nil for a target that is not a path.
  init?(target: String, peer: String, marks: [String] = []) {
    let reached = target.prefix { $0 != "#" }
    let parts = reached.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, path.hasPrefix("/") else { return nil }
    let query = parts.count > 1 ? parts[1].split(separator: "&").map(String.init) : []
    self.init(
      path: String(path),
      query: query.filter { !$0.hasPrefix("token=") },
      peer: peer,
      marks: marks,
    )
  }
}

/// The answer to a request.
///
/// Pure value: [any-thread].
package struct WebResponse: Hashable, Sendable {
  /// The status code of HTTP, such as 200.
  package let status: Int
  /// The media type of the body.
  package let type: String
  /// The body.
  package let body: [UInt8]
  /// Further headers.
  package let headers: [String: String]

  /// Makes an answer from its parts.
  package init(
    status: Int = 200,
    type: String,
    body: [UInt8],
    headers: [String: String] = [:],
  ) {
    self.status = status
    self.type = type
    self.body = body
    self.headers = headers
  }

  /// Makes an answer of one sentence.
  package static func sentence(
    _ text: String,
    status: Int,
    headers: [String: String] = [:],
  ) -> WebResponse {
    WebResponse(
      status: status,
      type: "text/plain; charset=utf-8",
      body: Array((text + "\n").utf8),
      headers: headers,
    )
  }
}
