// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import OSC
import Synchronization
import Testing

@testable import Surfaces

/// Subscriptions over OSC: their state, changes, echoes and leases.
@Suite(.timeLimit(.minutes(1)))
struct OSCSubscriptionTests {
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

  @Test
  func `OSC-20, XA-22 what waits leaves in packets below 1,200 bytes, the latest of each address`()
  {
    var outbox = OSCOutbox()
    for round in 0..<2 {
      for index in 0..<500 {
        let message = OSCMessage("/strip/s\(index)/gain", [.float(Float(round))])
        outbox.add(message, to: OSCBench.tablet)
      }
    }
    var messages: [OSCMessage] = []
    while !outbox.isEmpty {
      let packets = outbox.next()
      // One packet in a millisecond for each client.
      #expect(packets.map(\.client) == [OSCBench.tablet])
      for (packet, _) in packets {
        #expect(packet.bytes.count <= OSCOutbox.packetBytes)
        messages += packet.messages
      }
    }
    #expect(messages.map(\.path) == (0..<500).map { "/strip/s\($0)/gain" })
    #expect(messages.allSatisfy { $0.values == [.float(1)] })
  }

  @Test
  func `OSC-22, TAP-5 a client gets no echo of its own unless it asks, and others' changes always`()
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
}
