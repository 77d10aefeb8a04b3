// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import OSC
import Synchronization
import Testing

@testable import Surfaces

/// A surface with a tree that the test fills, and a transport that keeps what is sent.
final class OSCBench: OSCTransport {
  let tree: ScriptedTree
  let inbox = OSCInbox()
  private let sentPackets = Mutex<[(packet: OSCPacket, client: OSCClient)]>([])

  static let tablet = OSCClient(address: "10.0.0.2", port: 5_000)
  static let phone = OSCClient(address: "10.0.0.3", port: 6_000)
  static let gain = "/strip/deck-a/gain"
  static let fader = "/strip/deck-a/fader"

  init() {
    var parameters: [ParameterDescription] = []
    for name in ["deck-a", "deck-b", "mic"] {
      parameters.append(
        ParameterDescription(
          path: "/strip/\(name)/gain",
          type: .number,
          minimum: -.infinity,
          maximum: 24,
          taper: .fader,
          access: .readWrite,
          description: "",
          value: .number(0),
        )
      )
      parameters.append(
        ParameterDescription(
          path: "/strip/\(name)/mute",
          type: .flag,
          access: .readWrite,
          description: "",
          value: .flag(false),
        )
      )
      parameters.append(
        ParameterDescription(
          path: "/strip/\(name)/level",
          type: .numbers,
          access: .read,
          description: "",
          value: .numbers([-6, -.infinity]),
        )
      )
    }
    parameters.append(
      ParameterDescription(
        path: "/scene/current",
        type: .text,
        access: .readWrite,
        description: "",
        value: .text(""),
      )
    )
    tree = ScriptedTree(parameters)
  }

  static func with(_ body: (OSCBench) async throws -> Void) async throws {
    let bench = OSCBench()
    let surface = OSCSurface(tree: bench.tree, inbox: bench.inbox, transport: bench)
    await surface.begin()
    try await body(bench)
    await surface.end()
  }

  func send(_ packet: OSCPacket, to client: OSCClient) {
    sentPackets.withLock { $0.append((packet, client)) }
  }

  func close() async {}

  /// Sends a message to the surface.
  func receive(_ path: String, _ values: OSCValue..., from client: OSCClient = tablet) {
    receive(.message(OSCMessage(path, values)), from: client)
  }

  func receive(_ packet: OSCPacket, from client: OSCClient = tablet) {
    inbox.take(.packet(packet, from: client))
  }

  /// All messages that a client has been sent.
  func sent(to client: OSCClient = tablet) -> [OSCMessage] {
    sentPackets.withLock { sent in
      sent.filter { $0.client == client }.flatMap { $0.packet.messages }
    }
  }

  func wait(_ what: String, until isSo: (OSCBench) -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(10)
    while !isSo(self) {
      try #require(ContinuousClock.now < deadline, "\(what): \(sent())")
      // The interval between two looks.
      try await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Waits until all that was sent before is done: the answer to a question comes after it.
  func settle(_ client: OSCClient = OSCClient(address: "10.0.0.9", port: 1)) async throws {
    let count = sent(to: client).count
    receive("/scene/current", from: client)
    try await wait("the answer") { $0.sent(to: client).count > count }
  }
}

@Suite(.timeLimit(.minutes(1)))
struct OSCSurfaceTests {
  private func setting(_ path: String, _ value: ParameterValue) -> ParameterSetting {
    ParameterSetting(path: path, value: value)
  }

  @Test func `a refused value is told, and a subscriber's fader returns`() async throws {
    try await OSCBench.with { bench in
      bench.receive("/subscribe", .text(OSCBench.fader))
      try await bench.wait("the state") { $0.sent().count == 1 }
      bench.tree.refuse(OSCBench.gain)
      bench.receive(OSCBench.fader, .float(1))
      try await bench.wait("both answers") { $0.sent().count == 3 }
      #expect(bench.sent()[1].path == "/error")
      #expect(bench.sent()[2] == OSCMessage(OSCBench.fader, [.float(0.75)]))
      // Somebody else's equal value is news: the refused one has been forgotten.
      bench.tree.change(OSCBench.gain, to: .number(10))
      try await bench.wait("the change") { $0.sent().count == 4 }
      #expect(bench.sent()[3] == OSCMessage(OSCBench.fader, [.float(1)]))
    }
  }

  @Test func `a subscriber is told that the host takes no further watchers`() async throws {
    try await OSCBench.with { bench in
      bench.tree.takeWatchers(false)
      bench.receive("/subscribe", .text(OSCBench.gain))
      try await bench.wait("an error") { !$0.sent().isEmpty }
      #expect(
        bench.sent() == [OSCMessage("/error", [.text("/subscribe"), .text("too many watch")])]
      )
      bench.receive("/renew")
      try await bench.wait("no lease") { $0.sent().count == 2 }
      #expect(bench.sent()[1].path == "/error")
      bench.tree.takeWatchers(true)
      bench.receive("/subscribe", .text(OSCBench.gain))
      try await bench.wait("the state") { $0.sent().count == 3 }
      #expect(bench.sent()[2] == OSCMessage(OSCBench.gain, [.float(0)]))
    }
  }

  @Test func `OSC-10 a message sets, and one without values is answered on its address`()
    async throws
  {
    try await OSCBench.with { bench in
      bench.receive(OSCBench.gain, .float(-6))
      bench.receive(OSCBench.gain)
      try await bench.wait("an answer") { !$0.sent().isEmpty }
      #expect(bench.sent() == [OSCMessage(OSCBench.gain, [.float(-6)])])
      bench.receive("/strip/deck-a/fader", .float(0.75))
      bench.receive("/strip/deck-a/fader")
      try await bench.wait("an answer") { $0.sent().count == 2 }
      #expect(bench.sent().last == OSCMessage(OSCBench.fader, [.float(0.75)]))
      #expect(
        bench.tree.settings == [
          setting(OSCBench.gain, .number(-6)), setting(OSCBench.gain, .number(0)),
        ]
      )
      bench.receive("/strip/deck-a/level")
      try await bench.wait("levels") { $0.sent().count == 3 }
      #expect(bench.sent().last?.values == [.float(-6), .float(-144)])
    }
  }

  @Test func `OSC-5 a pattern sets and asks for every address that it reaches`() async throws {
    try await OSCBench.with { bench in
      bench.receive("/strip/deck-*/mute", .integer(1))
      bench.receive("/strip/*/mute")
      try await bench.wait("answers") { $0.sent().count == 3 }
      #expect(bench.tree.settings.map(\.path) == ["/strip/deck-a/mute", "/strip/deck-b/mute"])
      #expect(
        bench.sent() == [
          OSCMessage("/strip/deck-a/mute", [.integer(1)]),
          OSCMessage("/strip/deck-b/mute", [.integer(1)]),
          OSCMessage("/strip/mic/mute", [.integer(0)]),
        ]
      )
    }
  }

  @Test(arguments: [
    OSCMessage("/nothing", [.float(1)]), OSCMessage("/strip/deck-a/gain", [.float(.nan)]),
    OSCMessage("/strip/deck-a/level", [.float(1)]), OSCMessage("/strip/[/gain"),
    OSCMessage("/subscribe"), OSCMessage("/subscribe", [.text("/strip"), .integer(5)]),
    OSCMessage("/renew"), OSCMessage("/port", [.text("x")]),
    OSCMessage("/port", [.integer(70_000)]),
  ])
  func `faulty messages are answered with their address and one sentence`(message: OSCMessage)
    async throws
  {
    try await OSCBench.with { bench in
      bench.receive(.message(message))
      try await bench.wait("an error") { !$0.sent().isEmpty }
      let answer = try #require(bench.sent().first)
      #expect(answer.path == "/error" && answer.values.first == .text(message.path))
      #expect(answer.values.count == 2)
      #expect(bench.tree.settings.isEmpty)
    }
  }

  @Test func `the sender of a packet that cannot be read is told why`() async throws {
    try await OSCBench.with { bench in
      bench.inbox.take(.fault(OSCError("/a: no parameter takes an array"), from: OSCBench.tablet))
      try await bench.wait("an error") { !$0.sent().isEmpty }
      #expect(
        bench.sent() == [
          OSCMessage("/error", [.text("/"), .text("/a: no parameter takes an array")])
        ]
      )
    }
  }

  @Test func `a flood of faults gets few answers, and answers of others get none`() async throws {
    try await OSCBench.with { bench in
      for index in 0..<500 { bench.receive("/nothing/\(index)", .float(1)) }
      bench.receive("/error", .text("/a"), .text("b"), from: OSCBench.phone)
      try await bench.settle()
      #expect((1...2 * OSCFaultPace.perSecond).contains(bench.sent().count))
      #expect(bench.sent(to: OSCBench.phone).isEmpty)
    }
  }

  @Test func `OSC-4 a bundle is set in one step, at its time, or not at all`() async throws {
    try await OSCBench.with { bench in
      func bundle(_ seconds: Double?, _ messages: [OSCMessage]) -> OSCPacket {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        let time = seconds.map {
          OSCTime(secondsSince1970: Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9 + $0)
        }
        return .bundle(OSCBundle(at: time ?? .immediately, messages.map { .message($0) }))
      }
      let start = ContinuousClock.now
      bench.receive(bundle(0.2, [OSCMessage(OSCBench.gain, [.float(-12)])]))
      bench.receive(bundle(-5, [OSCMessage(OSCBench.gain, [.float(-3)])]))
      bench.receive(
        bundle(
          nil,
          [OSCMessage("/strip/mic/gain", [.float(-9)]), OSCMessage("/none", [.float(0)])]
        )
      )
      try await bench.settle()
      #expect(bench.tree.settings == [setting(OSCBench.gain, .number(-3))])
      try await bench.wait("the bundle") { $0.tree.settings.count == 2 }
      #expect(ContinuousClock.now - start >= .milliseconds(190))
      #expect(bench.tree.settings.last == setting(OSCBench.gain, .number(-12)))
      bench.receive(bundle(3_600, [OSCMessage(OSCBench.gain, [.float(0)])]))
      try await bench.wait("an error") {
        $0.sent().contains { $0.values.first == .text("#bundle") }
      }
    }
  }

  @Test func `OSC-14 a subscriber gets the whole state once, and then changes only`() async throws {
    try await OSCBench.with { bench in
      bench.receive("/subscribe", .text("/strip/deck-a"))
      try await bench.wait("the state") { $0.sent().count == 4 }
      #expect(
        Set(bench.sent().map(\.path)) == [
          OSCBench.gain, OSCBench.fader, "/strip/deck-a/mute", "/strip/deck-a/level",
        ]
      )
      bench.tree.change("/strip/deck-b/gain", to: .number(-1))
      bench.tree.change(OSCBench.gain, to: .number(-10))
      try await bench.wait("the change") { $0.sent().count == 6 }
      #expect(
        bench.sent().suffix(2) == [
          OSCMessage(OSCBench.gain, [.float(-10)]), OSCMessage(OSCBench.fader, [.float(0.5)]),
        ]
      )
      bench.receive("/unsubscribe", .text("/strip/deck-a"))
      try await bench.settle()
      bench.tree.change(OSCBench.gain, to: .number(-20))
      try await bench.settle()
      #expect(bench.sent().count == 6)
    }
  }

  @Test func `OSC-22 a client gets no echo of its own unless it asks, and others' changes always`()
    async throws
  {
    try await OSCBench.with { bench in
      let echoing = OSCClient(address: "10.0.0.4", port: 7_000)
      for client in [OSCBench.tablet, OSCBench.phone] {
        bench.receive("/subscribe", .text(OSCBench.gain), from: client)
      }
      bench.receive("/subscribe", .text(OSCBench.gain), .text("echo"), from: echoing)
      try await bench.wait("the state") { bench in
        [OSCBench.tablet, OSCBench.phone, echoing].allSatisfy { bench.sent(to: $0).count == 1 }
      }
      bench.receive(OSCBench.gain, .float(-6))
      try await bench.wait("the change") { $0.sent(to: OSCBench.phone).count == 2 }
      bench.receive(OSCBench.gain, .float(-7), from: echoing)
      try await bench.wait("the echo") { $0.sent(to: echoing).count == 3 }
      bench.receive(OSCBench.gain, .float(-6), from: OSCBench.phone)
      try await bench.wait("both") { $0.sent().count == 3 && $0.sent(to: echoing).count == 4 }
      #expect(bench.sent().flatMap(\.values) == [.float(0), .float(-7), .float(-6)])
      #expect(
        bench.sent(to: OSCBench.phone).flatMap(\.values) == [.float(0), .float(-6), .float(-7)]
      )
    }
  }

  @Test func `OSC-12 values go to the port that the client names, and end with their lease`()
    async throws
  {
    try await OSCBench.with { bench in
      let receiver = OSCClient(address: OSCBench.tablet.address, port: 9_500)
      bench.receive(
        "/subscribe",
        .text("/strip/*/level"),
        .integer(300),
        .integer(9_500),
        .text("blob")
      )
      try await bench.wait("levels") { $0.sent(to: receiver).count == 3 }
      #expect(
        bench.sent(to: receiver).first?.values == [.blob([0xC0, 0xC0, 0, 0, 0xC3, 0x10, 0, 0])]
      )
      bench.receive("/renew", .integer(9_500))
      bench.tree.change("/strip/mic/level", to: .numbers([0]))
      try await bench.wait("a level") { $0.sent(to: receiver).count == 4 }
      // The time after which the lease is over.
      try await Task.sleep(for: .milliseconds(600))
      bench.tree.change("/strip/mic/level", to: .numbers([-1]))
      bench.receive("/port", .integer(9_500))
      bench.receive("/renew")
      try await bench.wait("an error") { $0.sent(to: receiver).count == 5 }
      #expect(bench.sent(to: receiver).last?.path == "/error")
    }
  }

  @Test func `OSC-21 a flood is folded to the latest value of each address, in its order`()
    async throws
  {
    try await OSCBench.with { bench in
      for index in 1...100_000 {
        bench.receive(
          "/strip/deck-\(index.isMultiple(of: 2) ? "a" : "b")/gain",
          .float(-Float(index) / 2_000)
        )
      }
      bench.receive("/scene/current", .text("x"))
      bench.receive("/strip/mic/gain", .float(-1))
      try await bench.settle()
      #expect(bench.tree.settings.count < 50_000)
      let last = bench.tree.settings.suffix(2)
      #expect(
        last == [setting("/scene/current", .text("x")), setting("/strip/mic/gain", .number(-1))]
      )
      #expect(try await bench.tree.get([OSCBench.gain]) == [setting(OSCBench.gain, .number(-50))])
      #expect(bench.sent().isEmpty, "nothing was dropped")
    }
  }

  @Test func `mutated packets leave the surface answering`() async throws {
    try await OSCBench.with { bench in
      var random = SystemRandomNumberGenerator()
      let seeds: [[UInt8]] = [
        OSCPacket.message(OSCMessage(OSCBench.gain, [.float(-6)])),
        .message(OSCMessage("/subscribe", [.text("/strip/*"), .integer(1_000), .integer(9_000)])),
        .message(OSCMessage("/strip/{deck-a,mic}/[gm]*")),
        .bundle(OSCBundle([.message(OSCMessage("/strip/mic/mute", [.flag(true)]))])),
      ].map(\.bytes)
      for round in 0..<20_000 {
        var bytes = seeds[round % seeds.count]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: 0...255,
            using: &random
          )
        }
        do throws(OSCError) {
          bench.inbox.take(.packet(try OSCPacket(bytes: bytes), from: OSCBench.tablet))
        } catch {
          bench.inbox.take(.fault(error, from: OSCBench.tablet))
        }
        if round.isMultiple(of: 2_000) { try await bench.settle() }
      }
      try await bench.settle()
      for case .number(let gainDB) in bench.tree.settings.map(\.value) {
        #expect(gainDB <= 24 && !gainDB.isNaN)
      }
    }
  }
}
