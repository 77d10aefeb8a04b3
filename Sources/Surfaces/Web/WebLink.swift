// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOWebSocket
internal import Synchronization

/// The sending half of one WebSocket. [any-thread]
package final class WebLink: Sendable {
  private let channel: any Channel
  private let outbox: WebOutbox
  private let limits: WebLimits
  private let unreadBytes = Atomic(0)

  /// Makes the half of a channel that speaks the frames of WebSockets.
  init(channel: any Channel, outbox: WebOutbox, limits: WebLimits) {
    self.channel = channel
    self.outbox = outbox
    self.limits = limits
  }

  /// The bytes that the peer has not read yet.
  package var waitingBytes: Int { unreadBytes.load(ordering: .relaxed) }

  /// Sends a message; a peer that reads too slowly is cut off.
  package func send(_ message: WebMessage) {
    switch message {
    case .text(let text): send(.text, ByteBuffer(string: text))
    case .binary(let bytes): send(.binary, ByteBuffer(bytes: bytes))
    }
  }

  /// Ends the connection.
  package func close() { channel.close(promise: nil) }

  /// Sends a frame of any kind.
  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    let size = Self.size(data)
    let (before, waiting) = unreadBytes.add(size, ordering: .relaxed)
    // One long message may wait for a reader that is not behind.
    guard before == 0 || waiting <= limits.unreadBytes else {
      channel.close(promise: nil)
      return
    }
    outbox.add(WebSocketFrame(fin: true, opcode: opcode, data: data), for: self)
  }

  /// Writes a frame that ``send(_:_:)`` has counted. [server-loop]
  fileprivate func write(_ frame: WebSocketFrame) {
    let size = Self.size(frame.data)
    channel.write(frame).whenComplete { [self] _ in
      unreadBytes.subtract(size, ordering: .relaxed)
    }
  }

  /// Sends what has been written. [server-loop]
  fileprivate func flush() { channel.flush() }

  /// The bytes that a frame's data counts for.
  private static func size(_ data: ByteBuffer) -> Int { data.readableBytes + 16 }

  /// Says why, and ends the connection.
  func fail(_ code: WebSocketErrorCode) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    send(.connectionClose, data)
    channel.close(promise: nil)
  }
}

/// Frames on their way to the server's loop: it is woken once for all frames that come before it runs. [any-thread]
///
/// Levels and changes go to all pages at once, and threads that wake the loop for each page wait for each other.
final class WebOutbox: Sendable {
  private struct Letter: Sendable {
    let link: WebLink
    let frame: WebSocketFrame
  }

  private let eventLoop: any EventLoop
  private let letters = Mutex<[Letter]>([])

  /// Makes an outbox for the links of one loop.
  init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  /// Hands over a frame; those of a link keep their order.
  func add(_ frame: WebSocketFrame, for link: WebLink) {
    let isFirst = letters.withLock { letters in
      letters.append(Letter(link: link, frame: frame))
      return letters.count == 1
    }
    if eventLoop.inEventLoop { deliver() } else if isFirst { eventLoop.execute { self.deliver() } }
  }

  /// Writes all frames that wait. [server-loop]
  private func deliver() {
    let letters = letters.withLock { letters in
      defer { letters = [] }
      return letters
    }
    for letter in letters { letter.link.write(letter.frame) }
    var flushed: Set<ObjectIdentifier> = []
    for letter in letters where flushed.insert(ObjectIdentifier(letter.link)).inserted {
      letter.link.flush()
    }
  }
}
