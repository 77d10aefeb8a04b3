// SPDX-License-Identifier: MIT

import ControlProtocol
import Synchronization
import TestSupport
import Testing

@testable import ControlSocket

/// A guest that remembers what it is sent.
private final class ScriptedWire: GuestWire {
  let methods: [any ControlMethod.Type] = [WebMeters.self]
  private let closed = Atomic(false)
  let behindBytes = Atomic(0)
  private let sent = Mutex<[String]>([])

  var isClosed: Bool { closed.load(ordering: .relaxed) }
  var lines: [String] { sent.withLock { $0 } }
  var waitingBytes: Int { behindBytes.load(ordering: .relaxed) }

  func answer(to request: ControlRequest) -> ControlReply? {
    if request.params(for: WebMeters.self) != nil { return .success(NoResult()) }
    guard request.params(for: Stop.self) != nil else { return nil }
    return .failure(ControlError(.unauthorised, message: "a guest stops nothing"))
  }

  func send(_ line: String) { sent.withLock { $0.append(line) } }

  func close() { closed.store(true, ordering: .relaxed) }
}

/// Clients that another server has let in.
@Suite(.timeLimit(.minutes(1)))
struct GuestTests {
  private static func guest(_ address: String = "192.168.1.7") -> ControlGuest {
    ControlGuest(address: address, role: .user)
  }

  private static let meters =
    #"{"jsonrpc":"2.0","id":1,"method":"webMeters","params":{"on":true}}"#

  @Test func `a guest's requests are carried out one by one`() async throws {
    let host = try await TestHost.start()
    let wire = ScriptedWire()
    let link = try #require(await host.server.join(Self.guest(), over: wire))
    for id in 1...100 { await link.receive(soloLine("s\(id)", id: id)) }
    #expect(host.record.strips == (1...100).map { "s\($0)" })
    #expect(wire.lines.compactMap { answeredID($0) } == (1...100).map { .integer($0) })
    link.close()
    try await waitUntil("the host knows that the guest has gone") { !host.record.closed.isEmpty }
    let id = try #require(host.record.closed.first)
    #expect(id.processID == nil)
    #expect(id.grantedRole == .user)
    await host.server.close()
  }

  @Test func `a guest that leaves is told of while its request is carried out`() async throws {
    let host = try await TestHost.start()
    let link = try #require(await host.server.join(Self.guest(), over: ScriptedWire()))
    async let taken: Void = link.receive(soloLine("held", id: 1))
    try await waitUntil("the request has begun") { host.record.begun == ["held"] }
    link.leave()
    link.leave()
    try await waitUntil("the host knows that the guest has left") { host.record.left.count == 1 }
    #expect(host.record.closed.isEmpty)
    host.record.release()
    await taken
    await link.receive(soloLine("after", id: 2))
    link.close()
    try await waitUntil("the host knows that the guest has gone") { host.record.closed.count == 1 }
    // The host carries out what a page has sent before it went.
    #expect(host.record.strips == ["held", "after"])
    #expect(host.record.left == host.record.closed)
    await host.server.close()
  }

  @Test func `a message is one line, whatever its blanks`() async throws {
    let host = try await TestHost.start()
    let wire = ScriptedWire()
    let link = try #require(await host.server.join(Self.guest(), over: wire))
    await link.receive(soloLine("a", id: 1).replacing(",", with: ",\r\n  "))
    #expect(host.record.strips == ["a"])
    await link.receive("\n\n")
    await link.receive("{\"jsonrpc\"")
    #expect(errorCode(wire.lines.last) == .parseError)
    link.close()
    await host.server.close()
  }

  @Test func `a guest's own methods are its wire's, and the socket does not know them`()
    async throws
  {
    let host = try await TestHost.start()
    let wire = ScriptedWire()
    let link = try #require(await host.server.join(Self.guest(), over: wire))
    await link.receive(Self.meters)
    #expect(answeredID(wire.lines.last) == .integer(1))
    await link.receive(#"{"jsonrpc":"2.0","id":2,"method":"stop","params":{}}"#)
    #expect(errorCode(wire.lines.last) == .unauthorised)
    let stranger = try host.rawClient()
    await stranger.send(Self.meters)
    #expect(errorCode(await stranger.line()) == .methodNotFound)
    link.close()
    await host.server.close()
  }

  @Test func `events reach guests, and levels only those who read`() async throws {
    let host = try await TestHost.start()
    let wire = ScriptedWire()
    let link = try #require(await host.server.join(Self.guest(), over: wire))
    let topics = #"["events","meters"]"#
    await link.receive(
      #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":\#(topics)}}"#
    )
    wire.behindBytes.store(1 << 20, ordering: .relaxed)
    host.server.publish(Meters(time: time, strips: [], routes: []))
    host.server.publish(event("something"))
    try await waitUntil("the event has come") { wire.lines.count == 2 }
    #expect(wire.lines.last?.contains("something") == true)
    link.close()
    await host.server.close()
  }

  @Test func `a reader that is too far behind is cut off`() async throws {
    let host = try await TestHost.start()
    let wire = ScriptedWire()
    let link = try #require(await host.server.join(Self.guest(), over: wire))
    wire.behindBytes.store(5 << 20, ordering: .relaxed)
    await link.receive(soloLine("a", id: 1))
    #expect(wire.isClosed)
    #expect(wire.lines.isEmpty)
    link.close()
    await host.server.close()
  }

  @Test func `the guests of one address share its limits`() async throws {
    let host = try await TestHost.start(limits: { $0.connectionsPerProcess = 2 })
    var links: [GuestLink] = []
    for _ in 1...2 {
      links.append(try #require(await host.server.join(Self.guest(), over: ScriptedWire())))
    }
    let third = ScriptedWire()
    let refused = try #require(await host.server.join(Self.guest(), over: third))
    #expect(errorCode(third.lines.last) == .tooManyConnections)
    try await waitUntil("the third is closed") { third.isClosed }
    let other = ScriptedWire()
    let elsewhere = try #require(await host.server.join(Self.guest("192.168.1.8"), over: other))
    await elsewhere.receive(soloLine("b", id: 1))
    #expect(host.record.strips == ["b"])
    for link in links + [refused, elsewhere] { link.close() }
    await host.server.close()
  }

  @Test func `a server that closes ends its guests`() async throws {
    let host = try await TestHost.start()
    let wire = ScriptedWire()
    let link = try #require(await host.server.join(Self.guest(), over: wire))
    async let closing: Void = host.server.close()
    try await waitUntil("the guest is closed") { wire.isClosed }
    await link.receive(soloLine("late", id: 1))
    link.close()
    await closing
    #expect(host.record.strips.isEmpty)
    #expect(await host.server.join(Self.guest(), over: wire) == nil)
  }
}
