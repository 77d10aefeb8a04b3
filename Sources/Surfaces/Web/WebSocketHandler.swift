// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Refuses frames that no client may send: unmasked ones, and those with bits of extensions. [server-loop]
final class WebFrameCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias InboundOut = WebSocketFrame

  private let link: WebLink
  private var hasFailed = false

  /// Makes a check for one connection.
  init(link: WebLink) { self.link = link }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !hasFailed else { return }
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil, frame.reservedBits.isEmpty else {
      hasFailed = true
      return link.fail(.protocolError)
    }
    context.fireChannelRead(data)
  }
}

/// Closes a connection on which another request follows the one that makes it a WebSocket. [server-loop]
///
/// NIO hands such a request to the reader of frames, which ends the program. Of one that cannot be read it says so to the reader
/// of requests, whose answer would come before the one that begins the WebSocket.
final class RequestsAfterUpgrade: ChannelInboundHandler {
  typealias InboundIn = Any
  typealias InboundOut = Any

  private var isWebSocket = false

  /// Takes in that the connection is about to become a WebSocket.
  func begin() { isWebSocket = true }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard isWebSocket, error is HTTPParserError else { return context.fireErrorCaught(error) }
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard isWebSocket, unwrapInboundIn(data) is HTTPServerRequestPart else {
      return context.fireChannelRead(data)
    }
    context.close(promise: nil)
  }
}

/// The receiving half of one WebSocket, which hands messages to its session one by one. [server-loop]
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  private let link: WebLink
  private let limits: WebLimits
  private let session: any WebSession
  private var channel: (any Channel)?
  private let messages: AsyncStream<WebMessage>
  private let stream: AsyncStream<WebMessage>.Continuation
  /// The cost of the messages that the session has not taken in yet, in bytes.
  private(set) var waitingBytes = 0
  private var isReading = true
  private var silentPings = 0
  private var isClosing = false
  private var pings: RepeatedTask?

  /// Makes the half of one connection.
  init(link: WebLink, limits: WebLimits, session: any WebSession) {
    self.link = link
    self.limits = limits
    self.session = session
    (messages, stream) = AsyncStream.makeStream(of: WebMessage.self)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    channel = context.channel
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let delivery = Delivery(
      messages: messages,
      session: session,
      loop: context.eventLoop,
      handler: bound,
    )
    Task { await delivery.run() }
    let interval = TimeAmount.seconds(limits.pingSeconds)
    pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      bound.value.ping()
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    silentPings = 0
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      let bytes = Array(frame.unmaskedData.readableBytesView)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        return fail(.dataInconsistentWithMessage)
      }
      take(.text(text))
    case .binary: take(.binary(Array(frame.unmaskedData.readableBytesView)))
    case .ping: link.send(.pong, frame.unmaskedData)
    case .pong: break
    case .connectionClose: fail(.normalClosure)
    default: fail(.protocolError)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return }
    switch error {
    case NIOWebSocketError.invalidFrameLength,
      NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge:
      fail(.messageTooLarge)
    default: fail(.protocolError)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    session.left()
    isClosing = true
    pings?.cancel()
    stream.finish()
  }

  /// A small message costs more than its bytes.
  fileprivate static func cost(of message: WebMessage) -> Int { message.byteCount + 1_024 }

  private func take(_ message: WebMessage) {
    waitingBytes += Self.cost(of: message)
    stream.yield(message)
    setReading(waitingBytes < limits.waitingBytes)
  }

  fileprivate func taken(_ size: Int) {
    waitingBytes -= size
    if !isReading, !isClosing { setReading(waitingBytes < limits.waitingBytes / 2) }
  }

  private func setReading(_ reads: Bool) {
    guard reads != isReading else { return }
    isReading = reads
    channel?.setOption(.autoRead, value: reads).whenFailure { _ in }
  }

  private func ping() {
    // Messages that the server does not read yet are no silence.
    guard isReading else { return }
    silentPings += 1
    guard silentPings < 3 else { return link.close() }
    link.send(.ping, ByteBuffer())
  }

  private func fail(_ code: WebSocketErrorCode) {
    isClosing = true
    link.fail(code)
  }
}

/// Hands messages to a session one by one. [any-thread]
private struct Delivery: Sendable {
  let messages: AsyncStream<WebMessage>
  let session: any WebSession
  let loop: any EventLoop
  let handler: NIOLoopBound<WebSocketHandler>

  /// Runs until the connection has ended.
  func run() async {
    await session.opened()
    for await message in messages {
      await session.received(message)
      let size = WebSocketHandler.cost(of: message)
      loop.execute { [handler] in handler.value.taken(size) }
    }
    await session.closed()
  }
}
