// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import OSC
import Synchronization
import TestSupport
import Testing

@testable import Surfaces

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
}
