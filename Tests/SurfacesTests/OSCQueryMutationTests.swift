// SPDX-License-Identifier: MIT

import ControlProtocol
import OSC
import TestSupport
import Testing

@testable import Surfaces

/// Requests and frames that no program sends, to the surface over real sockets.
@Suite(.timeLimit(.minutes(2)))
struct OSCQueryMutationTests {
  private static let gain = OSCQuerySurfaceTests.gain
  private static let mute = "/strip/my%20deck/mute"

  private static func requests(_ port: Int) -> [[UInt8]] {
    let host = "Host: localhost:\(port)\r\n"
    return [
      "GET / HTTP/1.1\r\n\(host)\r\n", "GET \(gain)?VALUE&RANGE HTTP/1.1\r\n\(host)\r\n",
      "GET /?HOST_INFO HTTP/1.1\r\n\(host)Connection: keep-alive\r\n\r\n",
      "HEAD \(mute) HTTP/1.1\r\n\(host)Origin: http://localhost:\(port)\r\n\r\n",
      "POST / HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc",
      "GET / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
    ].map { Array($0.utf8) } + [upgrade(port)]
  }

  private static func upgrade(_ port: Int) -> [UInt8] {
    let lines = [
      "GET / HTTP/1.1", "Host: localhost:\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static let payloads: [(opcode: UInt8, bytes: [UInt8])] = [
    (1, Array(#"{"COMMAND":"LISTEN","DATA":"\#(gain)"}"#.utf8)),
    (1, Array(#"{"COMMAND":"IGNORE","DATA":"\#(gain)"}"#.utf8)),
    (2, OSCPacket.message(OSCMessage(gain, [.float(-6)])).bytes),
    (2, OSCPacket.message(OSCMessage(mute, [.flag(true)])).bytes),
    (2, OSCPacket.message(OSCMessage("/strip/my%20deck/fader", [.double(0.5)])).bytes),
    (2, OSCPacket.message(OSCMessage(gain)).bytes),
    (2, OSCPacket.message(OSCMessage("/route/main/alignment", [.text("manual")])).bytes),
    (
      2,
      OSCPacket.bundle(
        OSCBundle([
          .message(OSCMessage(gain, [.integer(3)])), .message(OSCMessage(mute, [.integer(0)])),
        ])
      ).bytes
    ), (9, [1, 2, 3]),
  ]

  @Test func `5,000 mutated frames and 500 requests set only allowed values and are forgotten`()
    async throws
  {
    var limits = WebLimits()
    limits.connectionsPerAddress = 4
    try await OSCQuerySurfaceTests.with(limits: limits) { tree, port in
      var random = TestSeed.random()
      let requests = Self.requests(port)
      var line = MutationLine(port: port)
      for round in 0..<500 {
        let request = Self.mutated(requests.randomElement(using: &random) ?? [], &random)
        try await line.send(request, answeredWithin: 10)
        guard round.isMultiple(of: 20) else { continue }
        line.end()
        // A good one among them, for which a busy machine has time.
        try await line.send(requests[0], answeredWithin: 5_000)
        line.end()
      }
      #expect(line.granted >= 25)
      line = MutationLine(port: port, greeting: Self.upgrade(port))
      for _ in 0..<5_000 {
        let (frame, mayClose) = Self.frame(&random)
        try await line.send(frame, answeredWithin: mayClose ? 2 : 0)
      }
      line.end()
      #expect(tree.settings.count > 25)
      for setting in tree.settings where !Self.isAllowed(setting) { Issue.record("\(setting)") }
      try await waitUntil("all connections are forgotten") {
        var peers: [WebPeer] = []
        for _ in 0..<4 {
          if let peer = try? await WebPeer.webSocket(port: port) { peers.append(peer) }
        }
        return peers.count == 4
      }
      try await waitUntil("a good request is answered") {
        (try? await WebPeer.get(Self.mute + "?TYPE", port: port).body) == #"{"TYPE":"T"}"#
      }
    }
  }

  @Test(arguments: [
    "Upgrade", "Upgrade ", "Upgrade,", ",Upgrade", "Upgrade\t", "keep-alive, Upgrade",
    "Upgrade, close",
    "Upgrade, keep-alive", "close, Upgrade", "Upgrade,Upgrade", "x, Upgrade, x", "Upgrade ,",
    "upgrade\t,x",
  ])
  func `a request right behind one for a WebSocket ends that connection alone`(connection: String)
    async throws
  {
    try await OSCQuerySurfaceTests.with { _, port in
      let plain = String(decoding: Self.upgrade(port), as: UTF8.self)
        .replacing("Connection: Upgrade", with: "Connection: \(connection)")
      let next = "GET / HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
      for body in [
        "", "Content-Length: 0\r\n\r\n", "Content-Length: 3\r\n\r\nabc",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      ] {
        let first = body.isEmpty ? plain : plain.dropLast(2) + body
        let peer = try WebPeer(port: port)
        await peer.write(Array((first + next).utf8))
        _ = try? await peer.answer()
        #expect(
          try await WebPeer.get(Self.mute + "?TYPE", port: port).body == #"{"TYPE":"T"}"#,
          "another connection after \(first)"
        )
      }
    }
  }

  private static func isAllowed(_ setting: ParameterSetting) -> Bool {
    switch (setting.path, setting.value) {
    case (gain, .number(let number)): number <= 24
    case (mute, .flag): true
    case ("/route/main/alignment", .text(let text)): ["auto", "manual"].contains(text)
    default: false
    }
  }

  /// A frame with a mutated payload; one of sixteen has a mutated head, too.
  private static func frame(_ random: inout SeededRandom) -> (bytes: [UInt8], mayClose: Bool) {
    guard let seed = payloads.randomElement(using: &random) else { return ([], false) }
    let payload = mutated(seed.bytes, &random)
    let frame = WebPeer.frame(seed.opcode, payload)
    guard Int.random(in: 0..<16, using: &random) == 0 else {
      // Only a text can be against the rules by its payload, by not being UTF-8.
      return (frame, seed.opcode == 1 && String(validating: payload, as: UTF8.self) == nil)
    }
    return (mutated(Array(frame.prefix(6)), &random) + frame.dropFirst(6), true)
  }

  private static func mutated(_ seed: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
    var bytes = seed
    for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(.random(in: 0...255, using: &random), at: place)
      default: bytes[place] = .random(in: 0...255, using: &random)
      }
    }
    return bytes
  }
}

/// One connection at a time, used until the server closes it.
private struct MutationLine {
  private let port: Int
  private let greeting: [UInt8]
  private var socket: RawSocket?
  /// The answers with status 200.
  private(set) var granted = 0

  init(port: Int, greeting: [UInt8] = []) {
    self.port = port
    self.greeting = greeting
  }

  /// Sends bytes, on a new connection if the one before has ended, and reads what comes in this time.
  mutating func send(_ bytes: [UInt8], answeredWithin milliseconds: Int32) async throws {
    let open: RawSocket
    if let socket {
      open = socket
    } else {
      open = try RawSocket(port: port)
      if !greeting.isEmpty {
        await open.write(greeting)
        // Frames that come with the request belong to it.
        _ = await open.read()
      }
      socket = open
    }
    await open.write(bytes)
    var limit = milliseconds
    while let answer = await open.read(withinMilliseconds: limit) {
      if answer.starts(with: Array("HTTP/1.1 200".utf8)) { granted += 1 }
      guard !answer.isEmpty else { return end() }
      limit = 0
    }
  }

  /// Closes the connection.
  mutating func end() { socket = nil }
}
