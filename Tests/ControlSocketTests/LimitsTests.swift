// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Testing

@Suite(.timeLimit(.minutes(2))) struct LimitsTests {
  @Test func aLineThatIsTooLongIsAnsweredAndEndsTheConnection() async throws {
    let host = try await TestHost.start { $0.lineBytes = 1000 }
    let client = try host.rawClient()
    await client.send(soloLine("slow", id: 1))
    let fits = soloLine("fits", id: 2)
    await client.send(fits + String(repeating: " ", count: 1000 - fits.utf8.count))
    await client.send(bytes: Array(repeating: UInt8(ascii: "x"), count: 1001))
    let lines = await client.remainingLines()
    #expect(lines.map(answeredID) == [.integer(1), .integer(2), nil])
    #expect(lines.map(errorCode) == [nil, nil, .tooLarge])
    try await eventually { host.record.closed.count == 1 }
    await host.server.close()
  }

  @Test func aMebibyteFitsAndOneByteMoreDoesNot() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let request = soloLine("big", id: 1)
    let padding = String(repeating: " ", count: (1 << 20) - request.utf8.count)
    await client.send(request + padding)
    #expect(answeredID(await client.line()) == .integer(1))
    await client.send(request + padding + " ")
    #expect(errorCode(await client.line()) == .tooLarge)
    #expect(await client.line() == nil)
    await host.server.close()
  }

  @Test func anEndlessLineIsCutWithoutBeingKept() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let sent = await client.send(bytes: Array(repeating: 0x20, count: 64 << 20))
    #expect(sent <= 64 << 20)
    #expect(errorCode(await client.line()) == .tooLarge)
    await host.server.close()
  }

  @Test func whoDoesNotReadIsCutOffAndTheLogSaysSo() async throws {
    let host = try await TestHost.start { $0.outboundBytes = 100_000 }
    let lazy = try RawClient(path: host.server.path, reads: false)
    await lazy.send(
      #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["events"]}}"#
    )
    try await eventually { host.server.demand.eventSubscribers == 1 }
    let diligent = try await host.client()
    _ = try await diligent.call(Subscribe.self, Subscribe.Params(topics: [.events]))
    var heard = 0
    var events = diligent.notifications.makeAsyncIterator()
    let text = String(repeating: "e", count: 1000)
    while host.record.closed.isEmpty {
      host.server.publish(event(text))
      if case .event? = await events.next() { heard += 1 }
    }
    #expect(host.log.text.contains("does not read"))
    #expect(heard > 0)
    #expect(host.server.demand.eventSubscribers == 1)
    await host.server.close()
  }

  @Test func whoAsksAndDoesNotReadIsCutOffToo() async throws {
    let host = try await TestHost.start { $0.outboundBytes = 50_000 }
    let lazy = try RawClient(path: host.server.path, reads: false)
    let lines = (0..<20_000).map { soloLine("bad", id: $0) + "\n" }.joined()
    await lazy.send(bytes: Array(lines.utf8))
    try await eventually { host.record.closed.count == 1 }
    #expect(host.log.text.contains("does not read"))
    await host.server.close()
  }

  @Test func whoReadsNothingMissesMetersButIsNotCutOff() async throws {
    let host = try await TestHost.start { $0.outboundBytes = 4 << 20 }
    let lazy = try RawClient(path: host.server.path, reads: false)
    await lazy.send(
      #"{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["meters"]}}"#
    )
    try await eventually { host.server.demand.metersIntervalMilliseconds == 100 }
    let reading = MixLevels(id: String(repeating: "m", count: 1 << 20), peak: [1], rms: [1])
    for _ in 0..<12 {
      host.server.publish(Meters(time: time, strips: [], routes: [reading]))
      // The interval that was asked for: a reading for each.
      try await Task.sleep(for: .milliseconds(100))
    }
    #expect(host.record.closed.isEmpty)
    lazy.startReading()
    #expect(answeredID(await lazy.line()) == .integer(1))
    guard case .notification(.meters)? = message(await lazy.line()) else {
      Issue.record("no meters")
      return
    }
    await host.server.close()
  }

  @Test func aFastSenderIsSlowedDownAndLosesNothing() async throws {
    let host = try await TestHost.start {
      $0.messagesPerSecond = 10
      $0.messageBurst = 20
    }
    let clock = ContinuousClock()
    let start = clock.now
    let client = try host.rawClient()
    let lines = (0..<30).map { soloLine("s", id: $0) + "\n" }.joined()
    await client.send(bytes: Array(lines.utf8))
    for id in 0..<30 { #expect(answeredID(await client.line()) == .integer(Int64(id))) }
    // 10 messages above the burst, at 10 a second; the last one is not waited for.
    #expect(clock.now - start >= .milliseconds(895))
    #expect(host.log.text.contains("slowed down"))
    await host.server.close()
  }

  @Test func aSlowedDownSenderHoldsUpNobodyElse() async throws {
    let host = try await TestHost.start {
      $0.messagesPerSecond = 50
      $0.messageBurst = 20
    }
    let flood = try host.rawClient()
    let lines = (0..<5000).map { soloLine("s", id: $0) + "\n" }.joined()
    let flooding = Task { await flood.send(bytes: Array(lines.utf8)) }
    let client = try await host.client()
    for _ in 0..<10 {
      _ = try await client.call(SetSolo.self, SetSolo.Params(strip: "ok", solo: true))
    }
    #expect(host.record.strips.count { $0 == "ok" } == 10)
    await host.server.close()
    _ = await flooding.value
  }

  @Test func oneConnectionTooManyIsToldSo() async throws {
    let host = try await TestHost.start { $0.connections = 2 }
    let first = try await host.client()
    let second = try await host.client()
    let refusal = try await host.refusal()
    #expect(refusal.code == .tooManyConnections)
    await second.close()
    try await eventually { (try? await host.client()) != nil }
    _ = try await first.call(Stop.self, Stop.Params())
    await host.server.close()
  }

  @Test func aThousandConnectionsAtOnce() async throws {
    let host = try await TestHost.start()
    // Each waits for all others, so its patience is that of the test.
    let limit = Duration.seconds(60)
    let clients = try await withThrowingTaskGroup(of: ControlClient.self) { group in
      for _ in 0..<1000 { group.addTask { try await host.client(within: limit) } }
      return try await group.reduce(into: [ControlClient]()) { $0.append($1) }
    }
    try await withThrowingTaskGroup { group in
      for (index, client) in clients.enumerated() {
        group.addTask {
          let topics = Subscribe.Params(topics: [.events])
          _ = try await client.call(Subscribe.self, topics, timeout: limit)
          let params = SetSolo.Params(strip: "c\(index)", solo: true)
          _ = try await client.call(SetSolo.self, params, timeout: limit)
        }
      }
      try await group.waitForAll()
    }
    #expect(Set(host.record.strips).count == 1000)
    host.server.publish(event("for all"))
    for client in clients {
      let heard = await client.notifications.first { _ in true }
      #expect(heard == .event(event("for all")))
    }
    for client in clients { await client.close() }
    try await eventually { host.record.closed.count == 1000 }
    #expect(host.server.demand.eventSubscribers == 0)
    await host.server.close()
  }

  @Test func tenThousandMessagesInOneGoAreAllAnswered() async throws {
    let host = try await TestHost.start()
    let client = try host.rawClient()
    let lines = (0..<10_000).map { soloLine("s", id: $0) + "\n" }.joined()
    let sending = Task { await client.send(bytes: Array(lines.utf8)) }
    for id in 0..<10_000 {
      let answer = await client.line()
      guard answeredID(answer) == .integer(Int64(id)) else {
        Issue.record("\(id): \(answer ?? "hung up")")
        break
      }
    }
    _ = await sending.value
    #expect(host.record.strips.count == 10_000)
    #expect(!host.log.text.contains("slowed down"))
    await host.server.close()
  }

  @Test func theLimitsAreThoseOfTheDocumentation() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let data = try #require(FileManager.default.contents(atPath: "/\(root)/docs/protocol.md"))
    let text = String(decoding: data, as: UTF8.self)
    let limits = ControlServerConfiguration.Limits()
    let grouped = { (number: Int) in
      number < 1000 ? "\(number)" : "\(number / 1000),\(String(number % 1000 + 1000).dropFirst())"
    }
    #expect(limits.handlingShare == 0.5)
    for row in [
      "| a line | \(limits.lineBytes >> 20) MiB |",
      "| a batch | \(limits.batchMessages) messages |",
      "| \(grouped(Int(limits.messageBurst))) at once, then "
        + "\(grouped(Int(limits.messagesPerSecond))) a second",
      "| \(limits.outboundBytes >> 20) MiB |", "| \(grouped(limits.connections)) |",
      "| connections of one process | \(grouped(limits.connectionsPerProcess)) |",
      "at once, then \(Int(limits.newConnectionsPerSecond)) a second |",
      "| \(Int(limits.handlingBurstSeconds * 1000)) ms at once, then half of the time |",
    ] {
      #expect(text.contains(row), "\(row)")
    }
  }
}
