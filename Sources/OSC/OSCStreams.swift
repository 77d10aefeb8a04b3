// SPDX-License-Identifier: MIT

internal import NIOCore
internal import Synchronization

/// The TCP connections of an OSC port. [any-thread]
final class OSCStreams: Sendable {
  private struct State {
    var open: [UInt64: any Channel] = [:]
    var lastID: UInt64 = 0
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Makes an empty set that takes so many connections.
  init(limit: Int) { self.limit = limit }

  /// Takes in a connection; nil if there are too many.
  func add(_ channel: any Channel) -> UInt64? {
    state.withLock { state in
      guard state.open.count < limit, !state.isClosed else { return nil }
      state.lastID += 1
      state.open[state.lastID] = channel
      return state.lastID
    }
  }

  /// Forgets a connection.
  func remove(_ id: UInt64) { _ = state.withLock { $0.open.removeValue(forKey: id) } }

  /// Sends a packet without its frame; a connection that does not read is ended.
  func send(_ packet: [UInt8], to id: UInt64) {
    guard let channel = state.withLock({ $0.open[id] }) else { return }
    guard channel.isWritable else {
      channel.close(promise: nil)
      return
    }
    channel.writeAndFlush(channel.allocator.buffer(bytes: packet), promise: nil)
  }

  /// Ends all connections, and takes no further ones.
  func closeAll() {
    let channels = state.withLock { state in
      state.isClosed = true
      return Array(state.open.values)
    }
    for channel in channels { channel.close(promise: nil) }
  }
}

/// Divides the stream of one connection into packets.
///
/// Belongs to the loop of its port. [any-thread]
final class OSCStreamHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let streams: OSCStreams
  private let take: @Sendable (OSCArrival) -> Void
  private var framing = OSCFraming()
  private var client: OSCClient?

  /// Makes the handler of a new connection.
  init(streams: OSCStreams, take: @escaping @Sendable (OSCArrival) -> Void) {
    self.streams = streams
    self.take = take
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let id = streams.add(context.channel) else {
      context.close(promise: nil)
      return
    }
    client = OSCClient(context.remoteAddress, connection: id)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let client else { return }
    do throws(OSCError) {
      for bytes in try framing.take(unwrapInboundIn(data).readableBytesView) {
        do throws(OSCError) {
          take(.packet(try OSCPacket(bytes: bytes), from: client))
        } catch {
          take(.fault(error, from: client))
        }
      }
    } catch {
      take(.fault(error, from: client))
      context.close(promise: nil)
    }
  }

  func write(
    context: ChannelHandlerContext,
    data: NIOAny,
    promise: EventLoopPromise<Void>?,
  ) {
    let packet = framing.framed(Array(unwrapOutboundIn(data).readableBytesView))
    context.write(
      wrapOutboundOut(context.channel.allocator.buffer(bytes: packet)),
      promise: promise
    )
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let client, let id = client.connection {
      streams.remove(id)
      take(.closed(client))
    }
    client = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
