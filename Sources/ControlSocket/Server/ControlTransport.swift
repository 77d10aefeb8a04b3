// SPDX-License-Identifier: MIT

import ControlProtocol
import Logging
import NIOCore

/// The way between a connection and its client. [server-loop]
protocol ControlTransport: AnyObject {
  /// The reader of requests, which knows the methods that clients have over this way.
  var decoder: RequestDecoder { get }
  /// The bytes of lines that the client has not read yet.
  var waitingBytes: Int { get }
  /// Whether the client reads more slowly than lines are sent.
  var isBehind: Bool { get }

  /// Answers a request itself; nil leaves it to the connection and the host.
  func answer(to request: ControlRequest) -> ControlReply?
  /// Asks for more bytes: ``Connection/received(_:)``, then ``Connection/readingEnded()``.
  func read()
  /// Sends a line with its newline.
  func send(_ line: ByteBuffer)
  /// Ends the sending side.
  func closeOutput()
  /// Ends the connection at once: ``Connection/transportClosed()``.
  func close()
  /// Ends the connection when everything was sent, or when the client has not read for ten seconds.
  func closeWhenSent()
}

/// A connection over the control socket. [server-loop]
final class SocketTransport: ChannelInboundHandler, ControlTransport {
  typealias InboundIn = ByteBuffer

  private let hub: Hub
  private let channel: any Channel
  private var connection: Connection?

  /// Makes the way over a channel of the server's loop.
  init(hub: Hub, channel: any Channel) {
    self.hub = hub
    self.channel = channel
  }

  /// Takes a client in.
  ///
  /// - Throws: `inputClosed` when there are too many even to tell it so.
  func begin(with peer: PeerCredentials?) throws {
    guard let connection = hub.receive(self, from: .process(peer)) else {
      throw ChannelError.inputClosed
    }
    self.connection = connection
    try channel.pipeline.syncOperations.addHandler(self)
  }

  // MARK: Events of the channel

  func channelActive(context: ChannelHandlerContext) { connection?.begin() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    connection?.received(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) { connection?.readingEnded() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .inputClosed? = event as? ChannelEvent { connection?.inputClosed() }
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let connection { hub.logger.debug("control socket: \(connection.id): \(error)") }
    channel.close(promise: nil)
  }

  private func end() {
    let ended = connection
    // The two hold each other.
    connection = nil
    ended?.transportClosed()
  }

  // MARK: Orders of the connection

  var decoder: RequestDecoder { hub.requestDecoder }

  var waitingBytes: Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  var isBehind: Bool { !channel.isWritable }

  func answer(to request: ControlRequest) -> ControlReply? { nil }

  func read() { channel.read() }

  func send(_ line: ByteBuffer) { channel.writeAndFlush(line, promise: nil) }

  func closeOutput() { channel.close(mode: .output, promise: nil) }

  func close() { channel.close(promise: nil) }

  func closeWhenSent() {
    let channel = channel
    let deadline = channel.eventLoop.scheduleTask(in: .seconds(10)) { channel.close(promise: nil) }
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in
      deadline.cancel()
      channel.close(promise: nil)
    }
  }
}
