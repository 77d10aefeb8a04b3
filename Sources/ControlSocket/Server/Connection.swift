// SPDX-License-Identifier: MIT

import ControlProtocol
import Logging
import NIOCore

/// The connection of one client: reads lines as fast as the limits allow, and carries them out in order.
/// [server-loop]
final class Connection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  let id: ConnectionID
  let hub: Hub
  let channel: any Channel
  /// The topics of its subscription; the hub sets them.
  var topics: Set<Topic> = []
  /// The interval of its subscription to meters; the hub sets it.
  var metersIntervalMilliseconds: Int?

  private let peer: PeerCredentials?
  private var phase = Phase.open
  /// Whether the hub has admitted it.
  private var isAdmitted = false
  /// Received bytes and lines before the limits are applied.
  private var inbox: Inbox
  /// Lines that wait to be carried out.
  private var pending = CircularBuffer<Inbox.Input>()
  /// The line that is being carried out.
  private var work: LineWork?
  /// Whether the handler is working on a request of this connection.
  private var isHandling = false
  /// Set while reading waits for the rate limit or for other connections.
  private var pause: Scheduled<Void>?
  private var wasSlowedDown = false

  /// The phases of a connection, from open to ended.
  private enum Phase {
    /// Lines are read and answered.
    case open
    /// The client has closed its sending side; answers and notifications still go out.
    case inputClosed
    /// The last answer is being sent; further input is discarded.
    case hangingUp
    /// The channel is gone; received lines are still carried out.
    case closed
    /// The handler knows that the connection is gone.
    case ended
  }

  /// The number of lines that are taken before other connections get their turn.
  private static let linesPerTurn = 64
  /// The number of lines that may wait behind the present one.
  private static let pendingLimit = 64

  init(id: ConnectionID, hub: Hub, channel: any Channel, peer: PeerCredentials?) {
    self.id = id
    self.hub = hub
    self.channel = channel
    self.peer = peer
    inbox = Inbox(
      limits: hub.configuration.limits,
      decoder: hub.requestDecoder,
      nowNanoseconds: NIODeadline.now().uptimeNanoseconds,
    )
  }

  // MARK: Events of the channel

  func channelActive(context: ChannelHandlerContext) {
    if let refusal = hub.admit(self, peer: peer) {
      hangUp(refusal)
    } else {
      isAdmitted = true
    }
    channel.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase == .open else { return }
    inbox.append(unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) { pump() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent else { return }
    switch phase {
    case .open:
      inbox.finish()
      phase = .inputClosed
      pump()
    case .hangingUp: channel.close(promise: nil)
    case .inputClosed, .closed, .ended: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if phase == .open { inbox.finish() }
    phase = .closed
    hub.remove(id)
    pump()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    hub.logger.debug("control socket: \(id): \(error)")
    channel.close(promise: nil)
  }

  // MARK: Reading

  /// Carries out lines, takes further lines within the limits, and reads on when there is room.
  private func pump() {
    var taken = 0
    advance()
    while pause == nil, phase != .hangingUp, pending.count < Self.pendingLimit,
      let (input, wait) = inbox.next(nowNanoseconds: NIODeadline.now().uptimeNanoseconds)
    {
      pending.append(input)
      if wait > 0 { slowDown(for: .nanoseconds(wait)) }
      advance()
      taken += 1
      if taken == Self.linesPerTurn { pause(for: .milliseconds(1)) }
    }
    settle()
    let wantsMore = pause == nil && pending.count < Self.pendingLimit
    if phase == .hangingUp || (phase == .open && wantsMore) { channel.read() }
  }

  /// Delays a client that sends faster than its rate; the log gets one line about it.
  private func slowDown(for time: TimeAmount) {
    pause(for: time)
    guard !wasSlowedDown else { return }
    wasSlowedDown = true
    let rate = Int(hub.configuration.limits.messagesPerSecond)
    hub.logger.notice("control socket: \(id) sends more than \(rate) messages/s; slowed down")
  }

  private func pause(for time: TimeAmount) {
    guard pause == nil else { return }
    pause = channel.eventLoop.assumeIsolated().scheduleTask(in: time) {
      self.pause = nil
      self.pump()
    }
  }

  // MARK: Carrying out

  /// Carries out lines until the handler has a request, or all lines are done.
  private func advance() {
    while !isHandling {
      if work == nil {
        guard let input = pending.popFirst() else { return }
        switch input {
        case .line(let line): work = LineWork(line)
        case .fatal(let error):
          pending.removeAll()
          hangUp(error)
          return
        }
      }
      if let message = work?.next() {
        carryOut(message)
      } else {
        let answer = work?.answer(hub.encoder)
        work = nil
        if let answer { send(ByteBuffer(line: answer)) }
      }
    }
  }

  private func carryOut(_ message: IncomingMessage) {
    switch message.request {
    case .failure(let error):
      work?.collect(hub.encoder.reply(.failure(error), id: message.id), for: message)
    case .success(let request):
      if let reply = ownReply(to: request) {
        work?.collect(hub.encoder.reply(reply, id: message.id), for: message)
      } else {
        hand(request, of: message)
      }
    }
  }

  /// Gives a request to the handler, and receives the answer on the loop.
  private func hand(_ request: ControlRequest, of message: IncomingMessage) {
    isHandling = true
    hub.requestBegins()
    let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
    Task(executorPreference: hub.configuration.executor) {
      [
        handler = hub.handler, encoder = hub.encoder, eventLoop = channel.eventLoop, id,
        greeting = greeting(to: request),
      ] in
      let reply: ControlReply
      if let greeting {
        var answer = greeting.answer
        answer.role = await handler.role(greeting.role, of: id)
        reply = .success(answer)
      } else {
        reply = await handler.handle(request, from: id)
      }
      let answer = encoder.reply(reply, id: message.id)
      eventLoop.execute {
        let connection = bound.value
        connection.isHandling = false
        connection.work?.collect(answer, for: message)
        connection.pump()
        connection.hub.requestEnds()
      }
    }
  }

  // MARK: Sending

  /// Sends a line; a reader that is too far behind is disconnected instead.
  func send(_ line: ByteBuffer) {
    guard phase == .open || phase == .inputClosed else { return }
    let waiting = bufferedBytes
    guard waiting == 0 || waiting + line.readableBytes <= hub.configuration.limits.outboundBytes
    else {
      hub.logger.warning("control socket: \(id) does not read, \(waiting) bytes wait; cut off")
      phase = .hangingUp
      channel.close(promise: nil)
      return
    }
    channel.writeAndFlush(line, promise: nil)
  }

  /// Sends a line, unless the reader is behind.
  func sendUnlessBehind(_ line: ByteBuffer) {
    if channel.isWritable { send(line) }
  }

  private var bufferedBytes: Int {
    (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  // MARK: Ending

  /// Ends the connection once its requests are answered and the answers are read.
  func finish(patience: TimeAmount) {
    let deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: patience) {
      self.channel.close(promise: nil)
    }
    channel.closeFuture.assumeIsolated().whenComplete { _ in deadline.cancel() }
    pause?.cancel()
    pause = nil
    pending.removeAll()
    inbox.clear()
    if phase == .open { phase = .inputClosed }
    topics = []
    settle()
  }

  /// Sends a last answer and ends the connection.
  ///
  /// The client may still be writing. Its input is read and discarded for a second, because an earlier close
  /// would make the kernel discard the last answer.
  private func hangUp(_ error: ControlError) {
    send(ByteBuffer(line: hub.encoder.reply(.failure(error), id: nil)))
    let inputIsOpen = phase == .open
    guard phase == .open || phase == .inputClosed else { return }
    phase = .hangingUp
    if inputIsOpen { channel.close(mode: .output, promise: nil) } else { closeWhenSent() }
    channel.eventLoop.assumeIsolated().scheduleTask(in: .seconds(1)) {
      self.channel.close(promise: nil)
    }
  }

  /// Ends the connection when all work is done.
  private func settle() {
    guard !isHandling, work == nil, pending.isEmpty, pause == nil else { return }
    switch phase {
    case .inputClosed where topics.isEmpty:
      phase = .hangingUp
      closeWhenSent()
    case .closed:
      phase = .ended
      if isAdmitted { hub.connectionEnded(id) }
    case .open, .inputClosed, .hangingUp, .ended: break
    }
  }

  /// Closes when everything was sent, or when the client has not read for ten seconds.
  private func closeWhenSent() {
    let channel = channel
    let deadline = channel.eventLoop.scheduleTask(in: .seconds(10)) { channel.close(promise: nil) }
    channel.writeAndFlush(ByteBuffer()).whenComplete { _ in
      deadline.cancel()
      channel.close(promise: nil)
    }
  }
}
