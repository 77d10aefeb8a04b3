// SPDX-License-Identifier: MIT

import NIOCore
import NIOEmbedded

@testable import Surfaces

/// A connection of another machine to the page's server: NIO's readers and ours, without a socket.
///
/// Two bytes 0x1E divide an input into parts that come one after the other. A plain value: [any-thread].
struct WebConnection: Sendable {
  /// Limits that an input can reach.
  static let limits: WebLimits = {
    var limits = WebLimits()
    limits.headerBytes = 2_048
    limits.headers = 16
    limits.messageBytes = 1_024
    limits.fragments = 4
    return limits
  }()

  private static let upgrade = """
    GET /live HTTP/1.1\r
    Host: mixer.local:8080\r
    Upgrade: websocket\r
    Connection: Upgrade\r
    Sec-WebSocket-Version: 13\r
    Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r
    Cookie: multiroute-8080=\(WebKeys.session)\r
    \r

    """

  private let isWebSocket: Bool

  /// Makes a connection, which may begin with a good request for a WebSocket.
  init(isWebSocket: Bool) { self.isWebSocket = isWebSocket }

  /// Sends bytes to the server, and checks what comes back.
  func read(_ bytes: [UInt8]) async {
    let parts = (isWebSocket ? [Array(Self.upgrade.utf8)] : []) + Self.parts(of: bytes)
    var answers = WebAnswers(to: Array(parts.joined()))
    do {
      try await send(parts) { answers.check($0) }
    } catch {
      preconditionFailure("\(error)")
    }
    precondition(!isWebSocket || answers.isWebSocket, "a visitor with a key gets no WebSocket")
  }

  private static func parts(of bytes: [UInt8]) -> [[UInt8]] {
    var parts: [[UInt8]] = [[]]
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == 0x1E, rest.first == 0x1E {
        rest.removeFirst()
        parts.append([])
      } else {
        parts[parts.count - 1].append(byte)
      }
    }
    return parts
  }

  private func send(_ parts: [[UInt8]], answered: ([UInt8]) -> Void) async throws {
    let loop = NIOAsyncTestingEventLoop()
    let channel = NIOAsyncTestingChannel(loop: loop)
    let site = PageSite()
    let tokens = WebKeys.tokens()
    channel.localAddress = try SocketAddress(ipAddress: "192.168.1.2", port: 8_080)
    try await loop.executeInContext {
      try WebServer.configure(
        channel,
        site: WebDoor(site: site, tokens: tokens, hostName: "mixer"),
        gate: WebGate(access: WebAccess(proof: .sessions(tokens), names: ["mixer.local"])),
        outbox: WebOutbox(eventLoop: loop),
        limits: Self.limits,
      )
    }
    try await channel.connect(to: try SocketAddress(ipAddress: "192.168.1.7", port: 50_000)).get()
    for part in parts where channel.isActive {
      // Errors that no handler takes are the other side's.
      _ = try? await channel.writeInbound(ByteBuffer(bytes: part))
      await loop.run()
      while try await loop.executeInContext({ Self.isBusy(channel) }) {
        await Task.yield()
        await loop.run()
      }
      var answer: [UInt8] = []
      while let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
        answer += Array(bytes.readableBytesView)
      }
      answered(answer)
    }
    // The server may have closed it.
    try? await channel.close().get()
    await loop.run()
    while !site.isLeft { await Task.yield() }
    await loop.shutdownGracefully()
  }

  /// Whether a request or a message is not answered yet. [server-loop]
  private static func isBusy(_ channel: NIOAsyncTestingChannel) -> Bool {
    let pipeline = channel.pipeline.syncOperations
    let requests = try? pipeline.handler(type: WebRequestHandler.self)
    let messages = try? pipeline.handler(type: WebSocketHandler.self)
    return requests?.isAnswering ?? false || messages?.waitingBytes ?? 0 > 0
  }
}
