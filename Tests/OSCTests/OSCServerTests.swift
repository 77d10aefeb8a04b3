// SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import OSC
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OSCServerTests {
  /// All that arrives at a port of a test.
  final class Arrivals: Sendable {
    let all = Mutex<[OSCArrival]>([])

    var packets: [OSCPacket] {
      all.withLock { all in
        all.compactMap { if case .packet(let packet, from: _) = $0 { packet } else { nil } }
      }
    }

    var senders: [OSCClient] {
      all.withLock { all in
        all.compactMap { if case .packet(_, from: let sender) = $0 { sender } else { nil } }
      }
    }

    func wait(_ isThere: (Arrivals) -> Bool) async throws {
      let deadline = ContinuousClock.now + .seconds(10)
      while !isThere(self) {
        try #require(ContinuousClock.now < deadline)
        // The interval between two looks.
        try await Task.sleep(for: .milliseconds(2))
      }
    }
  }

  private let packet = OSCPacket.message(OSCMessage("/a", [.integer(0xC0), .text("b")]))

  @Test func `OSC-12 answers reach the port from which a packet came`() async throws {
    let here = Arrivals()
    let there = Arrivals()
    let server = try await OSCServer.start(.init(port: 0)) { arrival in
      here.all.withLock { $0.append(arrival) }
    }
    let client = try await OSCServer.start(.init(port: 0)) { arrival in
      there.all.withLock { $0.append(arrival) }
    }
    client.send(packet, to: OSCClient(address: "127.0.0.1", port: server.port))
    try await here.wait { !$0.packets.isEmpty }
    #expect(here.packets == [packet])
    #expect(here.senders == [OSCClient(address: "127.0.0.1", port: client.port)])
    server.send(packet, to: here.senders[0])
    try await there.wait { !$0.packets.isEmpty }
    await client.close()
    await server.close()
  }

  @Test func `a port that is in use is refused with its number`() async throws {
    let server = try await OSCServer.start(.init(port: 0, tcp: true)) { _ in }
    let error = await #expect(throws: OSCError.self) {
      try await OSCServer.start(.init(port: server.port)) { _ in }
    }
    #expect(error?.description.contains("\(server.port)") == true)
    await server.close()
  }

  @Test(arguments: [true, false])
  func `OSC-7 both framings of TCP work, and answers have the framing of the questions`(
    isSLIP: Bool
  ) async throws {
    let here = Arrivals()
    let server = try await OSCServer.start(.init(port: 0, tcp: true)) { arrival in
      here.all.withLock { $0.append(arrival) }
    }
    let framed =
      isSLIP
      ? OSCFraming().framed(packet.bytes) : [0, 0, 0, UInt8(packet.bytes.count)] + packet.bytes
    let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: server.port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await client.executeThenClose { incoming, outgoing in
      try await outgoing.write(ByteBuffer(bytes: framed + framed))
      try await here.wait { $0.packets.count == 2 }
      #expect(here.packets == [packet, packet])
      server.send(packet, to: here.senders[0])
      for try await bytes in incoming {
        #expect(Array(bytes.readableBytesView) == framed)
        break
      }
    }
    try await here.wait { arrivals in
      arrivals.all.withLock { all in
        all.contains { if case .closed = $0 { true } else { false } }
      }
    }
    await server.close()
  }

  @Test func `OSC-T1 the byte C0 is escaped, and streams that are not OSC are refused`() throws {
    #expect(OSCFraming().framed([0xC0]) == [0xC0, 0xDB, 0xDC, 0xC0])
    var framing = OSCFraming()
    #expect(try framing.take([0xC0, 0xC0, 0xDB, 0xDC]).isEmpty)
    #expect(try framing.take([0xDB, 0xDD, 1, 0xC0, 0xC0]) == [[0xC0, 0xDB, 1]])
    #expect(throws: OSCError.self) { try framing.take([0xDB, 5]) }
    var text = OSCFraming()
    #expect(throws: OSCError.self) { try text.take(Array("GET / HTTP/1.1".utf8)) }
    var endless = OSCFraming()
    #expect(throws: OSCError.self) {
      try endless.take([0xC0] + Array(repeating: 1, count: OSCLimits.packetBytes + 1))
    }
  }
}
