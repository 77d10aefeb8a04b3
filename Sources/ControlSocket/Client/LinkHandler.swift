// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import NIOCore

/// The client's end of the socket, which assigns answers to calls on its event loop.
///
/// Belongs to the event loop of its client: [server-loop].
final class LinkHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias Reply = Result<Data, ControlClientError>

  /// The process at the other end; nil before the connection, and where the kernel does not say.
  private(set) var peer: PeerCredentials?

  private var calls: [MessageID: Call] = [:]
  private var lines = LineBuffer(limit: 64 << 20)
  /// The host's last error before it closed the connection, or the close itself.
  private var end: ControlClientError?
  private let decoder = ReplyDecoder()
  private let notifications: AsyncStream<ControlNotification>.Continuation

  /// A call that waits for its answer.
  private struct Call {
    var reply: EventLoopPromise<Reply>
    var deadline: Scheduled<Void>
  }

  init(notifications: AsyncStream<ControlNotification>.Continuation) {
    self.notifications = notifications
  }

  // MARK: Calls

  /// Sends a request; the promise is kept exactly once, at the deadline at the latest.
  func start(
    _ request: Data,
    id: MessageID,
    name: String,
    timeout: Duration,
    channel: any Channel,
    reply: EventLoopPromise<Reply>,
  ) {
    if let end {
      reply.succeed(.failure(end))
      return
    }
    let deadline = channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(timeout)) {
      let fault = "\(name): the host did not answer within \(timeout)"
      self.resolve(id, with: .failure(ControlClientError(.timedOut, fault)))
    }
    calls[id] = Call(reply: reply, deadline: deadline)
    channel.writeAndFlush(ByteBuffer(line: request), promise: nil)
  }

  /// Cancels a call; a call with an answer is left alone.
  func cancel(_ id: MessageID) {
    resolve(id, with: .failure(ControlClientError(.cancelled, "the call was cancelled")))
  }

  private func resolve(_ id: MessageID, with reply: Reply) {
    guard let call = calls.removeValue(forKey: id) else { return }
    call.deadline.cancel()
    call.reply.succeed(reply)
  }

  // MARK: Events of the channel

  func channelActive(context: ChannelHandlerContext) {
    // Now, and not later: a host that is full hangs up at once.
    PeerCredentials.read(of: context.channel).assumeIsolated().whenSuccess { self.peer = $0 }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    lines.append(unwrapInboundIn(data))
    while true {
      switch lines.next() {
      case .line(let line): take(line.data)
      case .incomplete: return
      case .tooLong:
        end = ControlClientError(.badAnswer, "the host sent a line that is too long")
        context.close(promise: nil)
        return
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    let end = end ?? ControlClientError(.connectionClosed, "the host closed the connection")
    self.end = end
    for id in Array(calls.keys) { resolve(id, with: .failure(end)) }
    notifications.finish()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end = end ?? ControlClientError(.connectionClosed, "the connection broke: \(error)")
    context.close(promise: nil)
  }

  private func take(_ line: Data) {
    switch decoder.decode(line) {
    case .notification(let notification): notifications.yield(notification)
    case .reply(let id, let error?): resolve(id, with: .failure(ControlClientError(error)))
    case .reply(let id, nil): resolve(id, with: .success(line))
    case .failure(let error): end = ControlClientError(error)
    // A message of a newer host that this version cannot read has no effect on calls.
    case nil: break
    }
  }
}

extension TimeAmount {
  /// The same time, limited to about a century. [any-thread]
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let whole = min(max(seconds, 0), 3_000_000_000)
    self = .seconds(whole) + .nanoseconds(max(attoseconds, 0) / 1_000_000_000)
  }
}
