// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// Waits for audio time, on a server whose cycles the test counts.
struct CycleWaitTests {
  /// A server with periods of 5 ms.
  private final class Server: CycleSource {
    var cycleCount: UInt64 = 0
    var periodSeconds = 0.005
  }

  /// A wait that is under way on a control thread; used there only.
  private final class Wait {
    let server = Server()
    private(set) var outcome: Bool?
    private let bench: RoomBench

    init(_ bench: RoomBench) { self.bench = bench }

    func begin(on control: Control, _ body: @escaping (Server) async -> Bool) async {
      control.task { [self] in outcome = await body(server) }
      await handedOver()
    }

    /// Lets wall time pass, and then a number of cycles end; the wait looks every 1.25 ms.
    func pass(milliseconds: Int, cycles: UInt64 = 0) async {
      server.cycleCount += cycles
      for _ in 0..<max(1, milliseconds / 2) {
        bench.advance(milliseconds: 2)
        await handedOver()
      }
    }
  }

  @Test func `held cycles hold a wait up, however late they are`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let control = surroundings.control
      let wait = Wait(bench)
      await wait.begin(on: control) { await control.passCycles(3, on: $0) }
      for _ in 1...2 {
        await wait.pass(milliseconds: 1_900, cycles: 1)
        #expect(wait.outcome == nil)
      }
      await wait.pass(milliseconds: 2, cycles: 1)
      #expect(wait.outcome == true)
    }
  }

  @Test func `a server that has stopped ends a wait after two seconds`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let control = surroundings.control
      let wait = Wait(bench)
      await wait.begin(on: control) { await control.passCycles(3, on: $0) }
      await wait.pass(milliseconds: 100, cycles: 2)
      await wait.pass(milliseconds: 1_800)
      #expect(wait.outcome == nil)
      await wait.pass(milliseconds: 200)
      #expect(wait.outcome == false)
    }
  }

  @Test func `a server that has gone ends a wait at once`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let control = surroundings.control
      let wait = Wait(bench)
      await wait.begin(on: control) { await control.passCycles(3, on: $0) }
      wait.server.periodSeconds = 0
      await wait.pass(milliseconds: 2)
      #expect(wait.outcome == false)
    }
  }

  @Test func `a condition that does not come true is given up after so much sound`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let control = surroundings.control
      let wait = Wait(bench)
      await wait.begin(on: control) {
        await control.wait(on: $0, atMost: .milliseconds(50)) { false }
      }
      await wait.pass(milliseconds: 1_000, cycles: 9)
      #expect(wait.outcome == nil)
      await wait.pass(milliseconds: 2, cycles: 1)
      #expect(wait.outcome == false)
    }
  }

  @Test func `a condition that holds already needs no server`() async throws {
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let server = Server()
      server.periodSeconds = 0
      #expect(await surroundings.control.wait(on: server, atMost: nil) { true })
    }
  }
}
