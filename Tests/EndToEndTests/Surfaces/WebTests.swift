// SPDX-License-Identifier: MIT

import AudioFiles
import ControlProtocol
import ControlSocket
import FoundationEssentials
import TestSupport
import Testing

/// A page's link to a host, without the page.
private struct LivePage {
  let peer: WebPeer

  init(_ rig: SurfaceRig) throws {
    peer = try WebPeer.webSocket(port: rig.port, target: "/live")
  }

  func send(_ id: Int, _ method: String, _ params: String = "{}") {
    let text = #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
    peer.write(WebPeer.frame(1, Array(text.utf8)))
  }

  /// The next text that contains a part; frames of levels and other texts are passed over.
  func text(with part: String) -> String? {
    while let message = peer.message() {
      let text = String(decoding: message.payload, as: UTF8.self)
      if message.opcode == 1, text.contains(part) { return text }
      if message.opcode == 8 { return nil }
    }
    return nil
  }

  /// The answer to a request.
  func answer(_ id: Int, _ method: String, _ params: String = "{}") -> String? {
    send(id, method, params)
    return text(with: "\"id\":\(id)")
  }

  /// Whether the host has ended the link.
  func hasEnded() -> Bool {
    while let message = peer.message() {
      if message.opcode == 8 { return true }
    }
    return peer.hasEnded
  }
}

extension SurfaceRig {
  fileprivate static func web(_ arguments: String...) async throws -> SurfaceRig {
    try await SurfaceRig { ["--web", "\($0)"] + arguments }
  }
}

/// The page of a real host, over real WebSockets.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct WebTests {
  @Test(.jackServer(frames: 256, channels: 4))
  func `the page is served, and its link speaks the protocol of the socket`() async throws {
    let rig = try await SurfaceRig.web()
    let file = try WebPeer.get("/", port: rig.port)
    #expect(file.status == 200)
    #expect(file.head.contains("default-src 'none'; script-src 'self'"))
    #expect(file.head.contains("X-Content-Type-Options: nosniff"))
    let mark = try #require(file.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
    let known = "If-None-Match: \(mark.dropFirst("ETag: ".count))"
    #expect(try WebPeer.get("/", port: rig.port, headers: [known]).status == 304)
    #expect(try WebPeer.get("/../etc/passwd", port: rig.port).status == 404)

    let page = try LivePage(rig)
    let hello = page.answer(1, "hello", #"{"client":"page","versions":[1]}"#)
    #expect(hello?.contains(#""role":"user""#) == true)
    #expect(page.answer(2, "list")?.contains("/strip/toy/gain") == true)
    #expect(page.answer(3, "watch", #"{"paths":["/strip/toy"]}"#) != nil)
    try await rig.set("/strip/toy/gain", .number(-6))
    // Others of the strip may come first, when it has just been made.
    let change = page.text(with: #"{"path":"/strip/toy/gain","value":-6}"#)
    #expect(change?.contains(#""method":"parameters""#) == true)
    let values = #"[{"path":"/strip/toy/gain","value":-9}]"#
    #expect(page.answer(4, "set", #"{"values":\#(values)}"#)?.contains("frame") == true)
    #expect(try await rig.value("/strip/toy/gain") == .number(-9))
    #expect(page.answer(5, "nonsense")?.contains("-32601") == true)
    // A user decides this, and no app (PRM-2).
    let permission = #"{"program":"mpv","permission":"granted"}"#
    #expect(page.answer(6, "setPermission", permission)?.contains("PRM-2") == false)
    #expect(
      try await rig.host.status().surfaces == [
        SurfaceStatus(kind: "web", port: rig.port, lan: false)
      ]
    )
    #expect(rig.host.child.standardError.contains("web: http://localhost:\(rig.port)/"))
    #expect(try await rig.host.stop() == .code(0))
    #expect(page.hasEnded())
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `levels come as frames at 30 a second or more, after the names of their places`()
    async throws
  {
    let rig = try await SurfaceRig.web()
    let page = try LivePage(rig)
    page.send(1, "webMeters", #"{"on":true}"#)
    let places = try #require(page.text(with: #""method":"webPlaces""#))
    #expect(places.contains(#"{"channels":2,"path":"/strip/deck"}"#))
    #expect(places.contains(#"{"channels":1,"path":"/strip/toy"}"#))
    #expect(places.contains(#"{"channels":2,"path":"/route/main"}"#))
    var moments: [ContinuousClock.Instant] = []
    while moments.count < 61 {
      let message = try #require(page.peer.message(withinMilliseconds: 5_000))
      if message.opcode == 2 { moments.append(.now) }
    }
    // The median: a busy machine is late now and then. A tenth more than 1/30 s is the tick of a timer.
    let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }.sorted()
    #expect(pauses[30] <= .milliseconds(36))
    #expect(moments[60] - moments[0] >= .seconds(1), "60 a second at most")
    let frame = try #require(page.peer.message()?.payload)
    // Two strips and two routes, with a generation; deck, toy, main and phones have 2, 1, 2 and 1 channels.
    #expect(Array(frame[0..<4]) == [4, 0, 0, 0])
    #expect(frame.count == 8 + 4 * 6)
    let toy = Int16(bitPattern: UInt16(frame[16]) | UInt16(frame[17]) << 8)
    #expect((-2_010...(-1_990)).contains(toy))
    page.send(2, "webMeters", #"{"on":false}"#)
    #expect(page.text(with: "\"id\":2") != nil)
    while page.peer.message(withinMilliseconds: 500)?.opcode == 2 {}
    #expect(page.answer(3, "status") != nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(
    .jackServer(frames: 256, channels: 4),
    arguments: [
      // A message over 65,535 bytes, whose length alone is enough.
      [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4],
      // A binary one.
      WebPeer.frame(2, [1, 2, 3]),
      // Not UTF-8.
      WebPeer.frame(1, [0xFF, 0xFE]),
      // A continuation of nothing.
      WebPeer.frame(0, [1]),
      // Without a mask.
      [0x81, 0x01, 0x20],
    ] as [[UInt8]]
  )
  func `a frame that no page sends ends its link, and no other`(bytes: [UInt8]) async throws {
    let rig = try await SurfaceRig.web()
    let other = try LivePage(rig)
    let page = try LivePage(rig)
    page.peer.write(bytes)
    #expect(page.hasEnded())
    // Half a frame, and then nothing more.
    let half = try LivePage(rig)
    half.peer.write([0x81, 0xFE, 0x01])
    #expect(other.answer(1, "status") != nil)
    #expect(half.peer.message(withinMilliseconds: 100) == nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `of 1,000 connections few stay, and the mix plays on`() async throws {
    let rig = try await SurfaceRig.web()
    try await rig.hearingDeck(seconds: 20) {
      var pages: [WebPeer] = []
      for _ in 0..<1_000 {
        if let page = try? WebPeer.webSocket(port: rig.port, target: "/live") { pages.append(page) }
      }
      #expect((1...32).contains(pages.count))
      #expect(try await rig.value("/strip/toy/gain") == .number(0))
      pages = []
      try await waitUntil("a page is served again") {
        (try? LivePage(rig))?.answer(1, "status") != nil
      }
    }
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `a page that does not read is cut off, and holds up no other`() async throws {
    let rig = try await SurfaceRig.web()
    let slow = try LivePage(rig)
    slow.send(1, "webMeters", #"{"on":true}"#)
    let other = try LivePage(rig)
    let request = #"{"jsonrpc":"2.0","id":1,"method":"list"}"#
    let batch = "[" + Array(repeating: request, count: 100).joined(separator: ",") + "]"
    // Its answers are megabytes, more than the kernel keeps for a reader.
    try await waitUntil("the host cuts it off", within: .seconds(60)) {
      !slow.peer.write(WebPeer.frame(1, Array(batch.utf8)))
    }
    #expect(other.answer(1, "status") != nil)
    #expect(try await rig.host.stop() == .code(0))
  }

  @Test(.jackServer(frames: 256, channels: 4))
  func `the patch names the makers of connections, and a page connects as a user does`()
    async throws
  {
    let rig = try await SurfaceRig.web()
    let page = try LivePage(rig)
    let port = rig.host.port("main_out_1")
    let pair = #"{"source":"\#(port)","destination":"system:playback_4"}"#
    let listed =
      #"{"destination":"system:playback_4","line":null,"madeBy":"user","owner":null,"source":"\#(port)"}"#
    let patch = try #require(page.answer(1, "listPatch"))
    #expect(
      patch.contains(
        #"{"destination":"system:playback_1","line":null,"madeBy":"host","owner":"main","source":"\#(port)"}"#
      )
    )
    #expect(
      patch.contains(
        #"{"direction":"input","isHost":false,"isPhysical":true,"name":"system:playback_4","type":"audio"}"#
      )
    )
    #expect(page.answer(2, "connect", pair)?.contains("result") == true)
    try await waitUntil("the connection is a user's") {
      page.answer(3, "listPatch")?.contains(listed) == true
    }
    #expect(page.answer(4, "disconnect", pair)?.contains("result") == true)
    try await waitUntil("the connection is gone") {
      page.answer(5, "listPatch")?.contains(#""destination":"system:playback_4""#) == false
    }
    #expect(page.answer(6, "disconnect", pair)?.contains("-32014") == true)
    let backwards = #"{"source":"system:playback_4","destination":"\#(port)"}"#
    #expect(page.answer(7, "connect", backwards)?.contains("no output port") == true)
    #expect(try await rig.host.stop() == .code(0))
  }
}
