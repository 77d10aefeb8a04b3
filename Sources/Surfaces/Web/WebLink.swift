// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOWebSocket
internal import Synchronization

/// The sending half of one WebSocket. [any-thread]
package final class WebLink: Sendable {
  private let channel: any Channel
  private let limits: WebLimits
  private let unreadBytes = Atomic(0)

  /// Makes the half of a channel that speaks the frames of WebSockets.
  init(channel: any Channel, limits: WebLimits) {
    self.channel = channel
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
    let size = data.readableBytes + 16
    let (before, waiting) = unreadBytes.add(size, ordering: .relaxed)
    // One long message may wait for a reader that is not behind.
    guard before == 0 || waiting <= limits.unreadBytes else {
      channel.close(promise: nil)
      return
    }
    channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, data: data)).whenComplete {
      [self] _ in
      unreadBytes.subtract(size, ordering: .relaxed)
    }
  }

  /// Says why, and ends the connection.
  func fail(_ code: WebSocketErrorCode) {
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    send(.connectionClose, data)
    channel.close(promise: nil)
  }
}
