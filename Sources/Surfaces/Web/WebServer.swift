// SPDX-License-Identifier: MIT

internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
internal import OSC
internal import Synchronization

/// A failure to open a web server's port.
///
/// Pure value: [any-thread].
package struct WebServerError: Error, Sendable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// Makes an error of one sentence.
  package init(description: String) { self.description = description }
}

/// A server of HTTP/1.1 and WebSockets for one site.
///
/// It has a thread of its own ([server-loop]), which never waits for a client or for the site. All functions can be called from
/// any thread.
package final class WebServer: Sendable {
  /// The address and the port of a server, and who may use it.
  ///
  /// Pure value: [any-thread].
  package struct Configuration: Sendable {
    /// The address to listen on.
    package var address = "127.0.0.1"
    /// The port; 0 for any free one.
    package var port: Int
    /// The key for peers that are not on this machine.
    package var token = WebToken()
    /// The keys of a page whose visitors log in; nil where each request has to carry the token.
    package var tokens: WebTokens?
    /// The encryption of the connections; nil for none.
    package var encryption: (any WebEncryption)?
    /// The names of this machine in its network, in lower case.
    package var names: Set<String> = []
    /// The limits.
    package var limits = WebLimits()

    /// Makes a configuration for this machine alone, or for its network.
    package init(port: Int, lan: Bool = false) {
      self.port = port
      guard lan else { return }
      address = "0.0.0.0"
      let name = Self.machineName.lowercased()
      if !name.isEmpty { names = [name, name + ".local"] }
    }

    /// The addresses for a browser in the network, with the token.
    package var addressesInNetwork: [String] { pagesInNetwork.map { "\($0)/?token=\(token)" } }

    /// The addresses for a browser in the network, without a token and without a slash at the end.
    package var pagesInNetwork: [String] {
      let devices = (try? System.enumerateDevices()) ?? []
      let found = devices.compactMap { $0.address }.filter { $0.protocol == .inet }
        .compactMap(\.ipAddress).filter { !WebAccess.isLoopback($0) }
      let hosts = found.isEmpty ? names.sorted() : found
      return hosts.map { page(at: $0) }
    }

    /// The address for a browser that knows this machine by a name or an address, without a slash at the end.
    package func page(at host: String) -> String {
      "\(encryption == nil ? "http" : "https")://\(host):\(port)"
    }

    private static var machineName: String {
      var name = [CChar](repeating: 0, count: 256)
      guard unsafe gethostname(&name, name.count - 1) == 0 else { return "" }
      return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }

  /// The port.
  package let port: Int

  private let group: MultiThreadedEventLoopGroup
  private let listener: any Channel
  private let announced: AnnouncedName
  private let wasClosed = Atomic(false)

  private init(
    group: MultiThreadedEventLoopGroup,
    listener: any Channel,
    announced: AnnouncedName,
  ) {
    self.group = group
    self.listener = listener
    self.announced = announced
    port = listener.localAddress?.port ?? 0
  }

  /// Opens the port and serves a site.
  ///
  /// - Throws: ``WebServerError`` for a port that is in use or not allowed.
  /// [any-thread]
  package static func start(
    _ configuration: Configuration,
    site: any WebSite,
  ) async throws(WebServerError) -> WebServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let announced = AnnouncedName()
    do {
      return WebServer(
        group: group,
        listener: try await listen(configuration, announced, site: site, on: group),
        announced: announced,
      )
    } catch {
      try? await group.shutdownGracefully()
      throw WebServerError(
        description:
          "port \(configuration.port) of \(configuration.address) cannot be opened: \(SocketFault(error)); "
          + "choose another port, 1024 to 65535"
      )
    }
  }

  /// Takes in the name under which mDNS announces this machine now; nil for none. [any-thread]
  package func note(announcedName name: String?) { announced.value = name }

  /// Closes the port and all connections; a second call has no effect. [any-thread]
  package func close() async {
    guard !wasClosed.exchange(true, ordering: .relaxed) else { return }
    // The group closes all channels.
    try? await group.shutdownGracefully()
  }

  private static func listen(
    _ configuration: Configuration,
    _ announced: AnnouncedName,
    site: any WebSite,
    on group: MultiThreadedEventLoopGroup,
  ) async throws -> any Channel {
    let limits = configuration.limits
    let connections = WebConnections(limits: limits)
    // The group has one loop.
    let outbox = WebOutbox(eventLoop: group.next())
    let proof = configuration.tokens.map(WebAccess.Proof.sessions) ?? .token(configuration.token)
    let encryption = configuration.encryption
    let gate = WebGate(
      access: WebAccess(proof: proof, names: configuration.names),
      announced: announced,
      isSecure: encryption != nil,
    )
    return try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 128)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        let address = channel.remoteAddress?.ipAddress ?? ""
        guard connections.admit(address) else {
          return channel.eventLoop.makeFailedFuture(ChannelError.inputClosed)
        }
        channel.closeFuture.whenComplete { _ in connections.release(address) }
        return channel.eventLoop.makeCompletedFuture {
          if let encryption {
            try channel.pipeline.syncOperations.addHandler(encryption.handler())
          }
          let gate = gate.serving(channel)
          try configure(channel, site: site, gate: gate, outbox: outbox, limits: limits)
        }
      }
      .bind(host: configuration.address, port: configuration.port).get()
  }

  /// Adds what reads a connection's bytes and answers them: HTTP first, and the frames of a WebSocket once it is one.
  ///
  /// [server-loop]
  static func configure(
    _ channel: any Channel,
    site: any WebSite,
    gate: WebGate,
    outbox: WebOutbox,
    limits: WebLimits,
  ) throws {
    let handler = WebRequestHandler(site: site, gate: gate, limits: limits)
    let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    let check = RequestsAfterUpgrade()
    let upgrader = WebSocketUpgrade(
      site: site,
      gate: gate,
      outbox: outbox,
      limits: limits,
      check: NIOLoopBound(check, eventLoop: channel.eventLoop),
    ).upgrader
    let pipeline = channel.pipeline.syncOperations
    try pipeline.configureHTTPServerPipeline(
      // It ends the program when a request is answered before its end.
      withPipeliningAssistance: false,
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { $0.pipeline.syncOperations.removeHandler(bound.value, promise: nil) }
      ),
      withErrorHandling: false,
      withOutboundHeaderValidation: true,
      withEncoderConfiguration: HTTPResponseEncoder.Configuration(),
      withDecoderLimitConfiguration: limits.decoding,
    )
    try pipeline.addHandlers([check, handler])
  }
}

/// The change of a connection from HTTP to the frames of WebSockets. [server-loop]
private struct WebSocketUpgrade: Sendable {
  let site: any WebSite
  let gate: WebGate
  let outbox: WebOutbox
  let limits: WebLimits
  let check: NIOLoopBound<RequestsAfterUpgrade>

  /// The part that the parser of HTTP calls for requests to change.
  var upgrader: NIOWebSocketServerUpgrader {
    let (site, gate, outbox, limits, check) = (site, gate, outbox, limits, check)
    return NIOWebSocketServerUpgrader(
      maxFrameSize: limits.messageBytes,
      automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        // A refused request goes on to the handler of requests, which says why.
        let passes = head.method == .GET && (try? gate.pass(head, on: channel).get()) != nil
        if passes { check.value.begin() }
        return channel.eventLoop.makeSucceededFuture(passes ? [:] : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let request = try gate.pass(head, on: channel).get()
          let link = WebLink(channel: channel, outbox: outbox, limits: limits)
          guard let session = site.session(for: request, on: link) else {
            return link.fail(.policyViolation)
          }
          let confirmation = ChannelOptions.Types.SocketOption.tcpOption(
            .init(rawValue: TCP_USER_TIMEOUT)
          )
          try channel.syncOptions?.setOption(
            confirmation,
            value: .init(limits.unconfirmedMilliseconds)
          )
          try channel.pipeline.syncOperations.addHandlers([
            WebFrameCheck(link: link),
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0,
              maxAccumulatedFrameCount: limits.fragments,
              maxAccumulatedFrameSize: limits.messageBytes,
            ),
            WebSocketHandler(link: link, limits: limits, session: session),
          ])
        }
      },
    )
  }
}
