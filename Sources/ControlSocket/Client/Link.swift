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
    let line = try await send(request, id: id, name: method.name, timeout: timeout).get()
    do {
      return try decoder.result(of: method, in: line)
    } catch {
      throw ControlClientError(.badAnswer, "\(method.name): the host's answer: \(error)")
    }
  }

  private func send(
    _ request: Data,
    id: MessageID,
    name: String,
    timeout: Duration,
  ) async -> LinkHandler.Reply {
    let cancel: @Sendable () -> Void = { [connection, channel] in
      channel.eventLoop.execute { connection.value.cancel(id) }
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        channel.eventLoop.execute { [connection, channel] in
          connection.value.start(
            request,
            id: id,
            name: name,
            timeout: timeout,
            channel: channel,
            continuation: continuation,
          )
        }
        // A cancellation before this line had no call to cancel.
        if Task.isCancelled { cancel() }
      }
    } onCancel: {
      cancel()
    }
  }
}
