// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc
import Testing

/// Floods at a server, all of the test's own process: nobody has to wait for long, whatever comes.
///
/// The bounds are generous. `SocketFloodTests` measure a host.
@Suite(.timeLimit(.minutes(2))) struct FloodTests {
  /// The lines that 64 or 8 connections send without a pause.
  enum Flood: String, CaseIterable, Sendable {
    case junk, blanks, batches, zeros, requests

    var connections: Int { self == .batches || self == .zeros ? 8 : 64 }

    /// Lines of about 64 KiB, or one of a mebibyte.
    var lines: [UInt8] {
      switch self {
      case .junk: Array(String(repeating: "junk\n", count: 13_000).utf8)
      case .blanks: Array(repeating: UInt8(ascii: "\n"), count: 65_536)
      case .requests: Array(String(repeating: soloLine("flood", id: 1) + "\n", count: 700).utf8)
      case .batches:
        // A name of 8000 bytes in each of 128 messages.
        Array(batch(128, of: soloLine(String(repeating: "x", count: 8000), id: 1)).utf8)
      case .zeros: Array(batch((1 << 19) - 2, of: "0").utf8)
      }
    }

    private func batch(_ count: Int, of message: String) -> String {
      "[" + repeatElement(message, count: count).joined(separator: ",") + "]\n"
    }
  }

  /// Sends lines over some connections without a pause, until `body` is done; closes the server then.
  private func flooding(
    _ host: TestHost,
    connections: Int,
    lines: [UInt8],
    body: () async throws -> Void,
  ) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<connections {
        let client = try host.rawClient()
        group.addTask {
          let reading = Task { await client.lines.reduce(into: 0) { count, _ in count += 1 } }
          while !Task.isCancelled, await client.send(bytes: lines) == lines.count {}
          await client.closeOutput()
          _ = await reading.value
        }
      }
      try await body()
      group.cancelAll()
      await host.server.close()
      try await group.waitForAll()
    }
  }

  /// The time that this process has computed, shared by the processors: the clock of a flood, which other programs
  /// do not hold up.
  private static func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    let total = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    return total / sysconf(Int32(_SC_NPROCESSORS_ONLN))
  }

  @Test(arguments: Flood.allCases)
  func whoAsksAndWhoComesWaitsForNoFlood(_ flood: Flood) async throws {
    let host = try await TestHost.start()
    let good = try await host.client()
    try await flooding(host, connections: flood.connections, lines: flood.lines) {
      var longest = Duration.zero
      for _ in 0..<20 {
        let start = Self.processorTime()
        _ = try await good.call(SetSolo.self, SetSolo.Params(strip: "good", solo: true))
        let newcomer = try await host.client()
        longest = max(longest, Self.processorTime() - start)
        await newcomer.close()
        // A client that asks now and then.
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(longest < .seconds(3))
    }
    #expect(host.record.strips.count { $0 == "good" } == 20)
  }

  @Test func oneTooManyAmongFloodsIsToldSo() async throws {
    let host = try await TestHost.start { $0.connections = 64 }
    try await flooding(host, connections: 64, lines: Flood.junk.lines) {
      for _ in 0..<5 {
        let refusal = try await host.refusal()
        #expect(refusal.code == .tooManyConnections)
      }
    }
  }

  @Test func aProcessHasItsShareOfTheConnections() async throws {
    let host = try await TestHost.start { $0.connectionsPerProcess = 2 }
    let first = try await host.client()
    let second = try await host.client()
    let refusal = try await host.refusal()
    #expect(refusal.code == .tooManyConnections)
    #expect(refusal.message.contains("2 of one process"), "\(refusal.message)")
    await second.close()
    try await eventually { (try? await host.client()) != nil }
    await first.close()
    await host.server.close()
  }

  @Test func aProcessThatConnectsTooOftenIsToldSo() async throws {
    let host = try await TestHost.start {
      $0.connectionsPerProcess = 2
      $0.newConnectionsPerSecond = 1
    }
    // It connects more often than once a second, or soon does.
    var refusal: ControlError?
    try await eventually {
      refusal = try? await host.refusal()
      return refusal != nil
    }
    #expect(refusal?.code == .tooManyConnections)
    #expect(refusal?.message.contains("1 a second of one process") == true, "\(refusal as Any)")
    // After a second there is room for one.
    try await eventually { (try? await host.client()) != nil }
    await host.server.close()
  }

  @Test func connectionsThatAreRefusedFillNoLog() async throws {
    let host = try await TestHost.start { $0.connections = 1 }
    let first = try await host.client()
    for _ in 0..<200 {
      let client = try host.rawClient()
      _ = await client.remainingLines()
    }
    let lines = host.log.text.split(separator: "\n").filter { $0.contains("refused a connection") }
    #expect(lines.first == "warning control socket: refused a connection, there are 1")
    // One a second, however long it takes.
    #expect(lines.count < 100)
    await first.close()
    await host.server.close()
  }

  @Test func aClientThatLeavesIsToldOfWhileItsRequestIsCarriedOut() async throws {
    let host = try await TestHost.start()
    do {
      let client = try host.rawClient()
      await client.send(soloLine("held", id: 1))
      try await eventually { host.record.begun == ["held"] }
      await client.closeOutput()
      let other = try await host.client()
      await other.close()
      try await eventually { host.record.closed.count == 1 }
      // The first one has only sent its last line and still reads; the other one had nothing under way.
      #expect(host.record.left.isEmpty)
    }
    try await eventually { host.record.left.count == 1 }
    #expect(host.record.closed.count == 1)
    host.record.release()
    try await eventually { host.record.closed.count == 2 }
    #expect(host.record.left == [host.record.closed[1]])
    await host.server.close()
  }

  @Test func requestsOfConnectionsThatHaveGoneKeepTheirPlace() async throws {
    let host = try await TestHost.start { $0.connections = 2 }
    let gone = try host.rawClient()
    await gone.send(soloLine("held", id: 1))
    try await eventually { host.record.begun == ["held"] }
    await gone.closeOutput()
    let second = try await host.client()
    // The first one's request is not yet carried out.
    await #expect(throws: ControlClientError.self) { try await host.client() }
    host.record.release()
    try await eventually { (try? await host.client()) != nil }
    await second.close()
    await host.server.close()
  }
}
