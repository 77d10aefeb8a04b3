// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOPosix
internal import Synchronization
internal import SystemSupport

/// The sender of packets, and the place to which answers go.
///
/// Pure value: [any-thread].
package struct OSCClient: Hashable, Sendable {
  /// The IP address.
  package var address: String
  /// The port.
  package var port: Int
  /// The TCP connection; nil for UDP.
  package var connection: UInt64?

  /// Makes a client; without a connection it is reached over UDP.
  package init(address: String, port: Int, connection: UInt64? = nil) {
    self.address = address
    self.port = port
    self.connection = connection
  }
}

/// Something that arrives at an OSC port.
///
/// Pure value: [any-thread].
package enum OSCArrival: Sendable {
  /// A packet.
  case packet(OSCPacket, from: OSCClient)
  /// A packet that cannot be read.
  case fault(OSCError, from: OSCClient)
  /// A TCP connection has ended.
  case closed(OSCClient)
}

/// The way from a surface to its clients. [any-thread]
package protocol OSCTransport: Sendable {
  /// Sends a packet; one that cannot be delivered is dropped, as UDP does.
  func send(_ packet: OSCPacket, to client: OSCClient)
  /// The IP address of this machine under which a client reaches the port.
  func address(towards client: OSCClient) -> String
  /// Closes the port.
  func close() async
}

/// A port for OSC over UDP, and over TCP at the same number where that is wanted. [any-thread]
package final class OSCServer: OSCTransport {
  /// The settings of a port.
  package struct Configuration: Sendable {
    /// The number; 0 for one that is free.
    package var port: Int
    /// Whether TCP connections are taken, too.
    package var tcp: Bool
    /// Whether other machines reach the port.
    package var lan: Bool

    /// Makes the settings.
    package init(port: Int, tcp: Bool = false, lan: Bool = false) {
      self.port = port
      self.tcp = tcp
      self.lan = lan
    }
  }

  /// The most TCP connections at once.
  static let connectionLimit = 32

  /// The number of the port.
  package let port: Int

  private let group: MultiThreadedEventLoopGroup
  private let datagrams: any Channel
  private let listener: (any Channel)?
  private let streams: OSCStreams

  private init(
    group: MultiThreadedEventLoopGroup,
    datagrams: any Channel,
    listener: (any Channel)?,
    streams: OSCStreams,
  ) {
    self.group = group
    self.datagrams = datagrams
    self.listener = listener
    self.streams = streams
    port = datagrams.localAddress?.port ?? 0
  }

  /// Opens a port.
  ///
  /// - Parameters:
  ///   - configuration: The settings.
  ///   - take: Takes in what arrives, on a thread of the port; it must not wait.
  /// - Returns: The open port.
  /// - Throws: ``OSCError`` for a port that is in use.
  package static func start(
    _ configuration: Configuration,
    take: @escaping @Sendable (OSCArrival) -> Void,
  ) async throws(OSCError) -> OSCServer {
    // A port that is free for datagrams may be in use for connections.
    let attempts = configuration.port == 0 && configuration.tcp ? 8 : 1
    for _ in 1..<attempts {
      if let server = try? await open(configuration, take: take) { return server }
    }
    return try await open(configuration, take: take)
  }

  private static func open(
    _ configuration: Configuration,
    take: @escaping @Sendable (OSCArrival) -> Void,
  ) async throws(OSCError) -> OSCServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let host = configuration.lan ? "0.0.0.0" : "127.0.0.1"
    var opened: (any Channel)?
    do {
      let datagrams = try await DatagramBootstrap(group: group)
        .channelOption(
          .recvAllocator,
          value: FixedSizeRecvByteBufferAllocator(capacity: OSCLimits.packetBytes + 1),
        )
        // A burst waits here until it is read (OSC-20).
        .channelOption(.socketOption(.so_rcvbuf), value: 1 << 20)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(OSCDatagramHandler(take: take))
          }
        }
        .bind(host: host, port: configuration.port).get()
      opened = datagrams
      let streams = OSCStreams(limit: connectionLimit)
      var listener: (any Channel)?
      if configuration.tcp {
        listener = try await ServerBootstrap(group: group)
          .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
          .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              let handler = OSCStreamHandler(streams: streams, take: take)
              try channel.pipeline.syncOperations.addHandler(handler)
            }
          }
          .bind(host: host, port: datagrams.localAddress?.port ?? 0).get()
      }
      return OSCServer(group: group, datagrams: datagrams, listener: listener, streams: streams)
    } catch {
      try? await opened?.close()
      try? await group.shutdownGracefully()
      throw OSCError(
        "port \(configuration.port) of \(host) cannot be opened: \(SocketFault(error))"
      )
    }
  }

  package func address(towards client: OSCClient) -> String {
    let own = datagrams.localAddress?.ipAddress ?? ""
    guard own == "0.0.0.0" else { return own }
    // A machine has several addresses, and its client reaches one of them.
    return SourceAddress.towards(client.address, port: client.port) ?? own
  }

  package func send(_ packet: OSCPacket, to client: OSCClient) { send(packet.bytes, to: client) }

  /// Sends the bytes of a packet, whatever they are.
  package func send(_ bytes: [UInt8], to client: OSCClient) {
    if let connection = client.connection {
      streams.send(bytes, to: connection)
    } else if let address = try? SocketAddress(ipAddress: client.address, port: client.port) {
      let data = datagrams.allocator.buffer(bytes: bytes)
      datagrams.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: data), promise: nil)
    }
  }

  package func close() async {
    try? await listener?.close()
    streams.closeAll()
    try? await datagrams.close()
    try? await group.shutdownGracefully()
  }
}

/// Reads datagrams.
///
/// Belongs to the loop of its port. [any-thread]
private final class OSCDatagramHandler: ChannelInboundHandler {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>

  private let take: @Sendable (OSCArrival) -> Void

  init(take: @escaping @Sendable (OSCArrival) -> Void) { self.take = take }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let envelope = unwrapInboundIn(data)
    let client = OSCClient(envelope.remoteAddress)
    do throws(OSCError) {
      take(.packet(try OSCPacket(bytes: Array(envelope.data.readableBytesView)), from: client))
    } catch {
      take(.fault(error, from: client))
    }
  }

  // A client that is not there any more must not close the port for the others.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

extension OSCClient {
  init(_ address: SocketAddress?, connection: UInt64? = nil) {
    self.init(
      address: address?.ipAddress ?? "",
      port: address?.port ?? 0,
      connection: connection,
    )
  }
}
