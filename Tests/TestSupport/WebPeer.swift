// SPDX-License-Identifier: MIT

/// A client of HTTP and WebSockets, which may send anything. [any-thread]
package final class WebPeer {
  private let socket: RawSocket
  private var received: [UInt8] = []
  /// Whether the other side has closed the connection.
  package private(set) var hasEnded = false

  /// Connects to a port, of this machine unless an IPv4 address is given.
  package init(port: Int, at address: String = "127.0.0.1") throws {
    socket = try RawSocket(port: port, at: address)
  }

  /// Connects to a port of this machine, from another one if it is given.
  private init(port: Int, at address: String, from machine: SecondMachine?) async throws {
    socket =
      if let machine {
        try await machine.visiting { try RawSocket(port: port, at: address) }
      } else {
        try RawSocket(port: port, at: address)
      }
  }

  /// Writes bytes as they are.
  ///
  /// - Returns: Whether the connection still takes bytes.
  @discardableResult
  package func write(_ bytes: [UInt8]) async -> Bool { await socket.write(bytes) }

  // MARK: - HTTP

  /// The answer to one request on a connection of its own, from another machine if it is given.
  package static func get(
    _ target: String,
    port: Int,
    from machine: SecondMachine? = nil,
    method: String = "GET",
    host: String? = nil,
    headers: [String] = [],
  ) async throws -> (status: Int, head: String, body: String) {
    let address = machine?.hostAddress ?? "127.0.0.1"
    let peer = try await WebPeer(port: port, at: address, from: machine)
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "\(address):\(port)")"]
    await peer.write(Array(((lines + headers).joined(separator: "\r\n") + "\r\n\r\n").utf8))
    return try await peer.answer(hasBody: method != "HEAD")
  }

  /// Reads one answer.
  package func answer(hasBody: Bool = true) async throws -> (
    status: Int, head: String, body: String
  ) {
    let head = try await text(until: "\r\n\r\n")
    let status = head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let length =
      head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst("content-length:".count).drop { $0 == " " }) } ?? 0
    guard hasBody, status != 101 else { return (status, head, "") }
    while received.count < length { try await more() }
    defer { received.removeFirst(length) }
    return (status, head, String(decoding: received.prefix(length), as: UTF8.self))
  }

  private func text(until end: String) async throws -> String {
    let mark = Array(end.utf8)
    while true {
      if let place = received.indices.first(where: { received[$0...].starts(with: mark) }) {
        defer { received.removeFirst(place + mark.count) }
        return String(decoding: received[..<place], as: UTF8.self)
      }
      try await more()
    }
  }

  private func more() async throws {
    guard let bytes = await socket.read() else { throw TestFailure("no answer came") }
    guard !bytes.isEmpty else { throw TestFailure("the server has closed the connection") }
    received += bytes
  }

  // MARK: - WebSocket

  /// A connection that has become a WebSocket, from another machine if it is given.
  package static func webSocket(
    port: Int,
    from machine: SecondMachine? = nil,
    target: String = "/",
    headers: [String] = [],
  ) async throws -> WebPeer {
    let address = machine?.hostAddress ?? "127.0.0.1"
    let peer = try await WebPeer(port: port, at: address, from: machine)
    let lines =
      [
        "GET \(target) HTTP/1.1", "Host: \(address):\(port)", "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ] + headers
    await peer.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    let status = try await peer.answer().status
    guard status == 101 else { throw TestFailure("the upgrade was answered with \(status)") }
    return peer
  }

  /// The bytes of a frame that a client sends.
  package static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let mask: [UInt8] = [1, 2, 3, 4]
    var frame = [0x80 | opcode]
    if payload.count < 126 {
      frame.append(0x80 | UInt8(payload.count))
    } else {
      frame += [0x80 | 126, UInt8(payload.count >> 8 & 255), UInt8(payload.count & 255)]
    }
    return frame + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
  }

  /// Sends a command such as `LISTEN`.
  package func send(_ command: String, _ path: String) async {
    await write(Self.frame(1, Array(#"{"COMMAND":"\#(command)","DATA":"\#(path)"}"#.utf8)))
  }

  /// Reads frames until a text or binary one, or one that closes.
  ///
  /// - Returns: Nil when none comes in time.
  package func message(withinMilliseconds limit: Int32 = 5_000) async -> (
    opcode: UInt8, payload: [UInt8]
  )? {
    while true {
      if let frame = nextFrame() {
        if [1, 2, 8].contains(frame.opcode) { return frame }
        continue
      }
      guard let bytes = await socket.read(withinMilliseconds: limit) else { return nil }
      hasEnded = bytes.isEmpty
      if hasEnded { return nil }
      received += bytes
    }
  }

  private func nextFrame() -> (opcode: UInt8, payload: [UInt8])? {
    guard received.count >= 2 else { return nil }
    var start = 2
    var length = Int(received[1] & 127)
    if length == 126 {
      guard received.count >= 4 else { return nil }
      length = Int(received[2]) << 8 | Int(received[3])
      start = 4
    } else if length == 127 {
      guard received.count >= 10 else { return nil }
      length = received[2..<10].reduce(0) { $0 << 8 | Int($1) }
      start = 10
    }
    guard received.count >= start + length else { return nil }
    let frame = (received[0] & 15, Array(received[start..<start + length]))
    received.removeFirst(start + length)
    return frame
  }
}
