// SPDX-License-Identifier: MIT

@testable import Surfaces

/// The statements about what a web server sends to a peer in the network.
///
/// A plain value: [any-thread].
struct WebAnswers {
  /// The answers of HTTP that there are.
  private static let statuses: Set<Int> = [
    101, 200, 204, 304, 400, 401, 403, 404, 405, 408, 413, 426, 431,
  ]
  /// The answers to a request that may pass.
  private static let granting: Set<Int> = [101, 200, 204, 304]

  private let sent: String
  /// Whether the connection has become a WebSocket.
  private(set) var isWebSocket = false

  /// Begins with all bytes that the peer sends.
  init(to sent: [UInt8]) { self.sent = String(decoding: sent, as: UTF8.self) }

  /// Stops if an answer to one part of these bytes is wrong.
  mutating func check(_ answer: [UInt8]) {
    guard !answer.isEmpty else { return }
    guard !isWebSocket else { return checkFrames(answer[...]) }
    let end = answer.indices.first { answer[$0...].starts(with: [13, 10, 13, 10]) }
    guard let end else { preconditionFailure("an answer has no end of its headers") }
    let lines = String(decoding: answer[..<end], as: UTF8.self).split(separator: "\r\n")
    let body = answer[(end + 4)...]
    let words = lines[0].split(separator: " ")
    guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]),
      Self.statuses.contains(status)
    else { preconditionFailure("an answer begins with '\(lines[0])'") }
    checkGrant(status)
    guard status != 101 else {
      isWebSocket = true
      return checkFrames(body)
    }
    precondition(lines.contains("X-Content-Type-Options: nosniff"), "a browser may guess the type")
    precondition(
      lines.contains { $0.hasPrefix("Content-Security-Policy: ") },
      "a page has no policy"
    )
    let length = lines.first { $0.hasPrefix("Content-Length: ") }
      .flatMap { Int($0.dropFirst("Content-Length: ".count)) }
    // A request for the headers alone gets no body.
    precondition(
      body.isEmpty || body.count == length,
      "an answer has another length than it says: \(String(decoding: answer, as: UTF8.self))",
    )
  }

  /// Nothing is given to a peer that does not know the name of this machine, or to one without a key.
  private func checkGrant(_ status: Int) {
    guard Self.granting.contains(status) else { return }
    let host = sent.lowercased()
    precondition(
      host.contains("mixer.local") || host.contains("192.168.1.2"),
      "another host passes"
    )
    if status == 101 {
      precondition(sent.contains(WebKeys.session), "a WebSocket without a key")
    }
    if status == 204, !sent.contains(WebKeys.forOneUse) {
      // Also the answer of OSCQuery for an attribute that a node does not have.
      precondition(sent.contains("?"), "a login without a key")
    }
  }

  /// Each frame is whole, and each text one line of JSON.
  private func checkFrames(_ bytes: ArraySlice<UInt8>) {
    var rest = bytes
    while let first = rest.popFirst(), let second = rest.popFirst() {
      precondition(first & 0xF0 == 0x80, "a frame is a part of a message")
      precondition(second & 0x80 == 0, "a server masks a frame")
      var length = Int(second)
      if length >= 126 {
        let digits = rest.prefix(length == 126 ? 2 : 8)
        rest = rest.dropFirst(digits.count)
        length = digits.reduce(0) { $0 << 8 | Int($1) }
      }
      let payload = rest.prefix(length)
      precondition(payload.count == length, "a frame is cut off")
      rest = rest.dropFirst(length)
      switch first & 0x0F {
      case 1: LineGuest.check(Array(payload))
      // Its end, a ping and a pong.
      case 8, 9, 10: break
      default: preconditionFailure("a frame has the kind \(first & 0x0F)")
      }
    }
    precondition(rest.isEmpty, "a frame is cut off")
  }
}
