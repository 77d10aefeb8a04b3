// SPDX-License-Identifier: MIT

internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Answers the requests of one connection, one by one. [server-loop]
final class WebRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let site: any WebSite
  private let gate: WebGate
  private let limits: WebLimits
  private var head: HTTPRequestHead?
  private var hasBody = false
  private var hasAnswered = false
  /// Whether a request waits for its answer.
  private(set) var isAnswering = false
  private var isClosing = false
  private var deadline: Scheduled<Void>?

  /// Makes a handler for one connection.
  init(site: any WebSite, gate: WebGate, limits: WebLimits) {
    self.site = site
    self.gate = gate
    self.limits = limits
  }

  func handlerAdded(context: ChannelHandlerContext) { setDeadline(context) }

  func handlerRemoved(context: ChannelHandlerContext) { deadline?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    isClosing = true
    deadline?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isClosing else { return }
    // Requests come one by one: no program of today sends the next one before its answer.
    guard !isAnswering else { return close(context) }
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      hasBody = false
    case .body: hasBody = true
    case .end: if let head { answer(head, context) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !isClosing else { return }
    switch error {
    // The request is answered as one without an upgrade.
    case is NIOWebSocketUpgradeError: break
    // The answer before this one is on its way and cannot be taken back.
    case is HTTPParserError where isAnswering: close(context)
    case HTTPParserError.headerOverflow:
      refuse(
        .sentence("the headers are longer than \(limits.headerBytes) bytes", status: 431),
        context
      )
    case is HTTPParserError:
      refuse(.sentence("this is no request of HTTP/1.1", status: 400), context)
    default: close(context)
    }
  }

  // MARK: - Answers

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    setDeadline(context)
    isAnswering = true
    let path = String(head.uri.prefix { $0 != "?" && $0 != "#" })
    guard
      [.GET, .HEAD].contains(head.method) || (head.method == .POST && site.takesPosts(at: path))
    else {
      let refusal = WebResponse.sentence(
        "only GET and HEAD are answered",
        status: 405,
        headers: ["Allow": "GET, HEAD"],
      )
      return refuse(refusal, context)
    }
    guard !hasBody else { return refuse(.sentence("a request has no body", status: 413), context) }
    switch gate.pass(head, on: context.channel) {
    case .failure(let refusal): refuse(refusal.response, context)
    case .success where head.headers.contains(name: "Upgrade"):
      let version = ["Sec-WebSocket-Version": "13"]
      refuse(.sentence("there is no such WebSocket here", status: 426, headers: version), context)
    case .success(let request):
      let isHead = head.method == .HEAD
      let staysOpen = head.isKeepAlive
      let site = site
      context.eventLoop.makeFutureWithTask { await site.answer(request) }.assumeIsolated()
        .whenSuccess { [self] response in
          send(response, isHead: isHead, staysOpen: staysOpen, context)
        }
    }
  }

  private func close(_ context: ChannelHandlerContext) {
    isClosing = true
    context.close(promise: nil)
  }

  private func refuse(_ response: WebResponse, _ context: ChannelHandlerContext) {
    send(response, isHead: head?.method == .HEAD, staysOpen: false, context)
  }

  private func send(
    _ response: WebResponse,
    isHead: Bool,
    staysOpen: Bool,
    _ context: ChannelHandlerContext,
  ) {
    guard !isClosing else { return }
    isClosing = !staysOpen
    hasAnswered = true
    var headers = HTTPHeaders([
      ("Content-Type", response.type), ("Content-Length", String(response.body.count)),
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
      ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
    ])
    headers.add(
      name: "Content-Security-Policy",
      value: "default-src 'none'; frame-ancestors 'none'"
    )
    if !staysOpen { headers.add(name: "Connection", value: "close") }
    for (name, value) in response.headers { headers.replaceOrAdd(name: name, value: value) }
    // No body may follow these, nor its length (RFC 9110).
    if response.status == 204 { headers.remove(name: "Content-Length") }
    let head = HTTPResponseHead(
      version: .http1_1,
      status: HTTPResponseStatus(statusCode: response.status),
      headers: headers,
    )
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead, response.status != 204 {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))),
        promise: nil
      )
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { [self] _ in
      isAnswering = false
      setDeadline(context)
      // Closing while bytes of the client are unread would take the answer away from it.
      if !staysOpen { context.close(mode: .output, promise: nil) }
    }
  }

  // MARK: - Time

  /// Gives the other side its time anew.
  private func setDeadline(_ context: ChannelHandlerContext) {
    deadline?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    deadline = context.eventLoop.scheduleTask(in: .seconds(limits.requestSeconds)) {
      bound.value.0.isLate(bound.value.1)
    }
  }

  private func isLate(_ context: ChannelHandlerContext) {
    guard !hasAnswered, !isAnswering, !isClosing else { return close(context) }
    refuse(.sentence("the request took too long", status: 408), context)
    // A client that does not read this either is cut off.
    setDeadline(context)
  }
}
