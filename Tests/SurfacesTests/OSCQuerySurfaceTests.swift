// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

@testable import Surfaces

/// The surface over real sockets, with a tree that the test changes.
@Suite(.timeLimit(.minutes(2)))
struct OSCQuerySurfaceTests {
  static let gain = "/strip/my%20deck/gain"

  /// Runs a test against a server of its own.
  static func with(
    limits: WebLimits = WebLimits(),
    _ body: (ScriptedTree, Int) async throws -> Void,
  ) async throws {
    let tree = ScriptedTree(OSCQueryReplyTests.parameters)
    let surface = OSCQuerySurface(tree: tree, host: OSCQueryHostInfo(name: "dj"))
    let running = Task { await surface.run() }
    var configuration = WebServer.Configuration(port: 0)
    configuration.limits = limits
    let server = try await WebServer.start(configuration, site: surface)
    do {
      try await body(tree, server.port)
    } catch {
      await server.close()
      throw error
    }
    await server.close()
    await tree.close()
    await running.value
  }

  /// A frame with one message.
  static func frame(_ path: String, _ values: [OSCValue]) -> [UInt8] {
    WebPeer.frame(2, OSCPacket.message(OSCMessage(path, values)).bytes)
  }

  /// The message that a frame carries.
  static func read(_ frame: (opcode: UInt8, payload: [UInt8])?) throws -> OSCMessage? {
    guard let frame, frame.opcode == 2 else { return nil }
    return try OSCPacket(bytes: frame.payload).messages.first
  }

  @Test func `OQ-T1 the questions over HTTP, in their order`() async throws {
    try await Self.with { _, port in
      let info = try await WebPeer.get("/?HOST_INFO", port: port)
      #expect(info.status == 200)
      #expect(info.head.contains("application/json"))
      #expect(info.body.contains(#""LISTEN":true"#))
      #expect(try await WebPeer.get("/", port: port).body.contains(Self.gain))
      #expect(try await WebPeer.get(Self.gain + "?VALUE", port: port).body == #"{"VALUE":[-144]}"#)
      #expect(try await WebPeer.get("/nonsense", port: port).status == 404)
      #expect(try await WebPeer.get("/?NONSENSE", port: port).status == 400)
      let nothing = try await WebPeer.get(Self.gain + "?CONTENTS", port: port)
      #expect(nothing.status == 204)
      #expect(nothing.body.isEmpty)
    }
  }

  @Test func `OQ-6 a listener gets each change of value, until it ignores`() async throws {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.send("LISTEN", Self.gain)
      await peer.send("LISTEN", "/nonsense")
      // The answer shows that the commands before it have been carried out.
      await peer.write(Self.frame("/strip/my%20deck/mute", []))
      let answer = try Self.read(await peer.message())
      #expect(answer == OSCMessage("/strip/my%20deck/mute", [.flag(true)]))
      tree.change("/strip/my%20deck/mute", to: .flag(false))
      tree.change(Self.gain, to: .number(-6))
      #expect(try Self.read(await peer.message()) == OSCMessage(Self.gain, [.float(-6)]))
      await peer.send("IGNORE", Self.gain)
      await peer.write(Self.frame("/strip/my%20deck/fader", []))
      let fader = try Self.read(await peer.message())
      #expect(fader == OSCMessage("/strip/my%20deck/fader", [.float(0.6)]))
      tree.change(Self.gain, to: .number(-7))
      #expect(await peer.message(withinMilliseconds: 200) == nil)
    }
  }

  @Test func `OQ-6 branches that go, come and are described anew are told`() async throws {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.write(Self.frame("/strip/my%20deck/mute", []))
      #expect(await peer.message() != nil)
      func parameter(_ path: String, upTo maximum: Double) -> ParameterDescription {
        ParameterDescription(
          path: path,
          type: .number,
          minimum: 0,
          maximum: maximum,
          access: .readWrite,
          description: "",
          value: .number(0),
        )
      }
      func told(_ command: String, _ path: String) async -> Bool {
        let text = await peer.message().map { String(decoding: $0.payload, as: UTF8.self) }
        return text == #"{"COMMAND":"\#(command)","DATA":"\#(path)"}"#
      }
      let depth = "/node/delay/depth"
      tree.replace([parameter(depth, upTo: 1)], removing: [])
      #expect(await told("PATH_ADDED", "/node"))
      tree.replace([parameter("/node/gate/hold", upTo: 1)], removing: [depth])
      #expect(await told("PATH_REMOVED", "/node/delay"))
      #expect(await told("PATH_ADDED", "/node/gate"))
      // The node has gone and come between two changes, with another range.
      tree.replace([parameter("/node/gate/hold", upTo: 2)], removing: ["/node/none"])
      #expect(await told("PATH_CHANGED", "/node/gate/hold"))
    }
  }

  @Test func `OQ-9 questions of clients in the wild are answered`() async throws {
    try await Self.with { tree, port in
      // libossia gives the attribute a value, and asks for packets over UDP.
      #expect(try await WebPeer.get("/?HOST_INFO=1", port: port).body.contains(#""LISTEN":true"#))
      let peer = try await WebPeer.webSocket(port: port)
      let start =
        #"{"COMMAND":"START_OSC_STREAMING","DATA":{"LOCAL_SERVER_PORT":9,"LOCAL_SENDER_PORT":8}}"#
      await peer.write(WebPeer.frame(1, Array(start.utf8)))
      await peer.write(Self.frame("/strip/my%20deck/mute", []))
      let answer = try Self.read(await peer.message())
      #expect(answer == OSCMessage("/strip/my%20deck/mute", [.flag(true)]))
      #expect(tree.settings.isEmpty)
    }
  }

  @Test func `OQ-7 binary frames set parameters, and do not come back to who sent them`()
    async throws
  {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      let other = try await WebPeer.webSocket(port: port)
      for listener in [peer, other] {
        await listener.send("LISTEN", Self.gain)
        await listener.write(Self.frame("/strip/my%20deck/mute", []))
        #expect(await listener.message() != nil)
      }
      await peer.write(Self.frame(Self.gain, [.float(-12)]))
      #expect(try Self.read(await other.message()) == OSCMessage(Self.gain, [.float(-12)]))
      #expect(await peer.message(withinMilliseconds: 200) == nil)
      #expect(tree.settings == [ParameterSetting(path: Self.gain, value: .number(-12))])
      tree.change(Self.gain, to: .number(-3))
      #expect(try Self.read(await peer.message()) == OSCMessage(Self.gain, [.float(-3)]))
    }
  }

  @Test func `a value of the wrong type is answered with the one that stands`() async throws {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      for value in [OSCValue.text("loud"), .float(.nan)] {
        await peer.write(Self.frame(Self.gain, [value]))
        #expect(try Self.read(await peer.message()) == OSCMessage(Self.gain, [.float(-144)]))
      }
      #expect(tree.settings.isEmpty)
    }
  }

  @Test func `a refused value is answered with the one that stands`() async throws {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.send("LISTEN", Self.gain)
      await peer.write(Self.frame("/strip/my%20deck/mute", []))
      #expect(await peer.message() != nil)
      tree.change(Self.gain, to: .number(-3))
      #expect(try Self.read(await peer.message()) == OSCMessage(Self.gain, [.float(-3)]))
      tree.refuse(Self.gain)
      await peer.write(Self.frame("/strip/my%20deck/fader", [.float(1)]))
      let stays = OSCMessage("/strip/my%20deck/fader", [.float(0.675)])
      #expect(try Self.read(await peer.message()) == stays)
      await peer.write(Self.frame(Self.gain, [.float(-12)]))
      #expect(try Self.read(await peer.message()) == OSCMessage(Self.gain, [.float(-3)]))
      // Somebody else's equal value is news: the refused one has been forgotten.
      tree.change(Self.gain, to: .number(-12))
      #expect(try Self.read(await peer.message()) == OSCMessage(Self.gain, [.float(-12)]))
    }
  }

  @Test func `a listener is told of changes once the host takes watchers again`() async throws {
    let tree = ScriptedTree(OSCQueryReplyTests.parameters)
    tree.takeWatchers(false)
    let surface = OSCQuerySurface(tree: tree, host: OSCQueryHostInfo(name: "dj"))
    let running = Task { await surface.run() }
    let server = try await WebServer.start(WebServer.Configuration(port: 0), site: surface)
    let peer = try await WebPeer.webSocket(port: server.port)
    await peer.send("LISTEN", Self.gain)
    await peer.write(Self.frame("/strip/my%20deck/mute", []))
    #expect(await peer.message() != nil, "questions are answered meanwhile")
    tree.change(Self.gain, to: .number(-5))
    tree.takeWatchers(true)
    var gainDB: Float = -5
    var told: OSCMessage?
    for _ in 0..<50 where told == nil {
      gainDB -= 1
      tree.change(Self.gain, to: .number(Double(gainDB)))
      told = try Self.read(await peer.message(withinMilliseconds: 200))
    }
    #expect(told == OSCMessage(Self.gain, [.float(gainDB)]))
    await server.close()
    await tree.close()
    await running.value
  }

  @Test(arguments: [
    [] as [OSCValue], [.float(.nan)], [.text("loud")], [.flag(true)], [.float(.infinity)],
  ])
  func `a value that a parameter does not take changes nothing`(values: [OSCValue]) async throws {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.write(Self.frame(Self.gain, values))
      await peer.write(Self.frame("/strip/my%20deck/level", [.float(0)]))
      await peer.write(Self.frame("/strip/my%20deck/mute", [.integer(0)]))
      try await waitUntil("the last message is carried out") { !tree.settings.isEmpty }
      #expect(
        tree.settings == [ParameterSetting(path: "/strip/my%20deck/mute", value: .flag(false))]
      )
    }
  }

  @Test func `a flood of messages is folded to the newest value`() async throws {
    try await Self.with { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      for number in 1...10_000 {
        await peer.write(Self.frame(Self.gain, [.float(-Float(number) / 100)]))
      }
      try await waitUntil("the newest value is set") { tree.settings.last?.value == .number(-100) }
      #expect(tree.settings.count < 5_000)
    }
  }

  @Test(arguments: [
    ("evil.example", [] as [String], 403), ("localhost:1", [], 403),
    (nil as String?, ["Origin: http://evil.example"], 403), (nil, ["Origin: null"], 403),
    (nil, ["Host: other"], 403), (nil, [], 200),
  ])
  func `foreign pages are refused`(host: String?, headers: [String], status: Int) async throws {
    try await Self.with { _, port in
      #expect(try await WebPeer.get("/", port: port, host: host, headers: headers).status == status)
      let upgrade = [
        "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      ]
      let answer = try await WebPeer.get("/", port: port, host: host, headers: headers + upgrade)
      #expect(answer.status == (status == 200 ? 101 : status))
    }
  }

  @Test(arguments: [
    ("POST", 405), ("PUT", 405), ("DELETE", 405), ("OPTIONS", 405), ("HEAD", 200),
  ])
  func `only questions are answered, with headers that shut browsers' doors`(
    method: String,
    status: Int,
  ) async throws {
    try await Self.with { _, port in
      let answer = try await WebPeer.get("/", port: port, method: method)
      #expect(answer.status == status)
      #expect(answer.head.contains("X-Content-Type-Options: nosniff"))
      #expect(answer.head.contains("Content-Security-Policy: default-src 'none'"))
    }
  }

  @Test func `long headers, bodies and slow requests end with their status`() async throws {
    var limits = WebLimits()
    limits.requestSeconds = 1
    try await Self.with(limits: limits) { _, port in
      let long = ["X: " + String(repeating: "x", count: 20_000)]
      #expect(try await WebPeer.get("/", port: port, headers: long).status == 431)
      let many = (0..<100).map { "X-\($0): x" }
      #expect(try await WebPeer.get("/", port: port, headers: many).status == 431)
      let body = ["Content-Length: 1", "", "x"]
      #expect(try await WebPeer.get("/", port: port, headers: body).status == 413)
      let slow = try WebPeer(port: port)
      await slow.write(Array("GET / HTTP/1.1\r\nHost: lo".utf8))
      #expect(try await slow.answer().status == 408)
    }
  }

  @Test func `one connection too many is closed, and the next one is served again`() async throws {
    var limits = WebLimits()
    limits.connectionsPerAddress = 4
    try await Self.with(limits: limits) { _, port in
      var peers: [WebPeer] = []
      for _ in 0..<4 { peers.append(try await WebPeer.webSocket(port: port)) }
      await #expect(throws: TestFailure.self) { try await WebPeer.webSocket(port: port) }
      await #expect(throws: TestFailure.self) { try await WebPeer.get("/", port: port) }
      peers.removeLast()
      try await waitUntil("a connection is free") {
        (try? await WebPeer.get("/", port: port).status) == 200
      }
      #expect(peers.count == 3)
    }
  }

  @Test func `a reader that does not read is cut off`() async throws {
    var limits = WebLimits()
    limits.unreadBytes = 100_000
    try await Self.with(limits: limits) { tree, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.send("LISTEN", "/route/main/alignment")
      await peer.write(Self.frame("/strip/my%20deck/mute", []))
      #expect(await peer.message() != nil)
      let long = String(repeating: "x", count: 10_000)
      for _ in 0..<2_000 { tree.change("/route/main/alignment", to: .text(long)) }
      var count = 0
      while await peer.message(withinMilliseconds: 1_000) != nil { count += 1 }
      #expect(count < 2_000)
    }
  }

  @Test(arguments: [
    [0x82, 0x01, 0x00],  // Without a mask.
    [0xC2, 0x81, 1, 2, 3, 4, 1],  // With a bit of an extension.
    [0x80, 0x81, 1, 2, 3, 4, 1],  // A continuation of nothing.
    [0x83, 0x81, 1, 2, 3, 4, 1],  // Of no known kind.
    [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4],  // Of 65536 bytes.
    [0x81, 0x81, 1, 2, 3, 4, 0xFE],  // A text that is not UTF-8.
    [0x88, 0x80, 1, 2, 3, 4],  // The end.
  ])
  func `a frame against the rules ends the connection`(frame: [UInt8]) async throws {
    try await Self.with { _, port in
      let peer = try await WebPeer.webSocket(port: port)
      await peer.write(frame)
      #expect(await peer.message()?.opcode == 8)
      #expect(try await WebPeer.get("/", port: port).status == 200)
    }
  }
}
