// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import Synchronization
import SystemSupport

/// An open connection to a host, for calling methods.
///
/// Safe from any thread: [any-thread].
final class Link: Sendable {
  /// The event loop of all links: one thread however many processors there are, because each thread costs a command time at
  /// its start.
  private static let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  let channel: any Channel
  let notifications: AsyncStream<ControlNotification>
  private let connection: NIOLoopBound<LinkHandler>
  private let encoder = MessageEncoder()
  private let decoder = ReplyDecoder()
  private let lastID = Atomic<Int64>(0)
  /// The process that has connected: its event loops run nowhere else.
  private let owner = ForkMark()

  private init(
    channel: any Channel,
    connection: NIOLoopBound<LinkHandler>,
    notifications: AsyncStream<ControlNotification>,
  ) {
    self.channel = channel
    self.connection = connection
    self.notifications = notifications
  }

  /// Connects to a socket.
  ///
  /// If the kernel's queue of waiting connections is full, it tries again until the deadline. Nothing is sent to a
  /// process that is not trusted.
  static func open(
    path: String,
    directory: String?,
    trust: HostTrust,
    deadline: ContinuousClock.Instant,
  ) async throws(ControlClientError) -> Link {
    let (notifications, continuation) = AsyncStream.makeStream(
      of: ControlNotification.self,
      bufferingPolicy: .bufferingNewest(4096),
    )
    let eventLoop = eventLoops.next()
    while true {
      do {
        let connection = try await eventLoop.submit {
          NIOLoopBound(LinkHandler(notifications: continuation), eventLoop: eventLoop)
        }.get()
        let channel = try await ClientBootstrap(group: eventLoop)
          .connectTimeout(TimeAmount(max(deadline - ContinuousClock.now, .zero)))
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(connection.value)
            }
          }
          .connect(unixDomainSocketPath: path).get()
        let peer = try await eventLoop.submit { connection.value.peer }.get()
        do throws(ControlClientError) {
          try trust.check(peer, path: path)
        } catch {
          channel.close(promise: nil)
          throw error
        }
        return Link(channel: channel, connection: connection, notifications: notifications)
      } catch let error as ControlClientError {
        throw error
      } catch let error as IOError where error.errnoCode == EAGAIN {
        guard ContinuousClock.now < deadline else {
          throw ControlClientError(.timedOut, "\(path): the host takes no connection")
        }
        do {
          try await Task.sleep(for: .milliseconds(10))
        } catch {
          throw ControlClientError(.cancelled, "the connection was given up")
        }
      } catch {
        throw ControlClientError(connecting: error, path: path, directory: directory)
      }
    }
  }

  /// Closes the connection without waiting; not in a forked child, whose parent has it.
  func close() {
    if !owner.isInChild { channel.close(promise: nil) }
  }

  /// Calls a method and waits for its answer, at most until the timeout.
  func call<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    timeout: Duration,
  ) async throws(ControlClientError) -> Method.Result {
    try await result(of: send(method, params, timeout: timeout))
  }

  /// Calls a method without waiting; the host takes the requests of a link in their order.
  func send<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    timeout: Duration,
  ) throws(ControlClientError) -> SentCall<Method> {
    guard !owner.isInChild else {
      throw ControlClientError(
        .connectionClosed,
        "\(method.name): this process was forked from the one that has connected; connect anew after exec",
      )
    }
    let id = MessageID.integer(lastID.wrappingAdd(1, ordering: .relaxed).newValue)
    let request: Data
    do {
      request = try encoder.request(method, params, id: id)
    } catch {
      throw ControlClientError(.badAnswer, "\(method.name): the parameters: \(error)")
    }
    do throws(ControlError) {
      try MessageEncoder.checkLength(ofRequest: request)
    } catch {
      throw ControlClientError(.refused(error), "\(method.name): \(error.message)")
    }
    let reply = channel.eventLoop.makePromise(of: LinkHandler.Reply.self)
    channel.eventLoop.execute { [connection, channel] in
      connection.value.start(
        request,
        id: id,
        name: method.name,
        timeout: timeout,
        channel: channel,
        reply: reply,
      )
    }
    return SentCall(id: id, reply: reply.futureResult)
  }

  /// Waits for the answer to a call.
  func result<Method: ControlMethod>(
    of call: SentCall<Method>
  ) async throws(ControlClientError) -> Method.Result {
    let line = try await withTaskCancellationHandler {
      await reply(to: call)
    } onCancel: { [connection, channel] in
      channel.eventLoop.execute { connection.value.cancel(call.id) }
    }.get()
    do {
      return try decoder.result(of: Method.self, in: line)
    } catch {
      throw ControlClientError(.badAnswer, "\(Method.name): the host's answer: \(error)")
    }
  }

  private func reply<Method: ControlMethod>(to call: SentCall<Method>) async -> LinkHandler.Reply {
    do {
      return try await call.reply.get()
    } catch {
      // The handler gives each call a reply; only an event loop that has ended breaks a promise.
      return .failure(ControlClientError(.connectionClosed, "\(Method.name): \(error)"))
    }
  }
}

/// A call whose answer is still to come.
///
/// Safe from any thread: [any-thread].
struct SentCall<Method: ControlMethod>: Sendable {
  fileprivate let id: MessageID
  fileprivate let reply: EventLoopFuture<LinkHandler.Reply>
}
