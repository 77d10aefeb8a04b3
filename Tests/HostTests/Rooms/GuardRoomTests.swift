// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import Host

/// The start, the orders and the end of a guard.
struct GuardRoomTests {
  private final class Guards {
    var started: [ScriptedGuard] = []
    var canStart = true
    var relieved = 0

    func start() -> ScriptedGuard? {
      guard canStart else { return nil }
      started.append(ScriptedGuard(pid: Int32(100 + started.count)))
      return started.last
    }
  }

  private static func configuration(
    _ graph: String = "adopt: [{client: mpv, session: {category: playback}}]\n",
    program: String? = "/guard",
    connects: Bool = true,
  ) throws -> HostConfiguration {
    var configuration = HostConfiguration(
      graph: try GraphFile.parse("multiroute: 1\nname: dj\n" + graph, path: "g.yaml")
    )
    configuration.guardProgram = program
    configuration.connectsPorts = connects
    return configuration
  }

  private static func orders(_ port: String) -> GuardOrders {
    GuardOrders(
      server: "studio",
      client: "dj-guard",
      placements: [.init(port: port, hardware: ["system:playback_1"])],
      cuts: [],
    )
  }

  private func run(
    _ configuration: HostConfiguration,
    _ test: @Sendable (RoomBench.Surroundings, Guards, GuardRoom) async throws -> Void,
  ) async throws {
    try await run(configuration) { bench, guards, room, _ in try await test(bench, guards, room) }
  }

  private func run(
    _ configuration: HostConfiguration,
    _ test:
      @Sendable (RoomBench.Surroundings, Guards, GuardRoom, ManualClock) async throws -> Void,
  ) async throws {
    let bench = try RoomBench()
    let clock = bench.clock
    try await bench.run { _, bench in
      let guards = Guards()
      let room = GuardRoom(
        configuration: configuration,
        graph: GraphRoom(configuration.graph),
        control: bench.control,
        relieve: { guards.relieved += 1 },
        start: { guards.start() },
      )
      try await test(bench, guards, room, clock)
    }
  }

  @Test func `a graph without adoptions and permissions needs no guard`() async throws {
    try await run(try Self.configuration("")) { _, guards, room in
      room.update(hasGates: false) {
        Issue.record("orders were asked for")
        return Self.orders("mpv:out_1")
      }
      #expect(guards.started.isEmpty)
      room.update(hasGates: true) { Self.orders("mpv:out_1") }
      #expect(guards.started.count == 1)
    }
  }

  @Test(arguments: [(nil, true), ("/guard", false)])
  func `without a program, or if the host makes no connections, there is no guard`(
    program: String?,
    connects: Bool,
  ) async throws {
    try await run(try Self.configuration(program: program, connects: connects)) {
      bench,
      guards,
      room in
      room.update(hasGates: true) { Self.orders("mpv:out_1") }
      #expect(guards.started.isEmpty)
      #expect(bench.takeMessages().isEmpty)
    }
  }

  @Test func `HW-8 values to give back need a guard, which hears when they are given back`()
    async throws
  {
    try await run(try Self.configuration("", connects: false)) { _, guards, room in
      var loan = BufferLoan(foundFrames: 1_024)
      loan.set(240)
      var orders = Self.orders("mpv:out_1")
      orders.buffer = loan
      room.update(hasGates: false, hasLoan: true) { orders }
      #expect(guards.started.count == 1)
      let received = try GuardOrders(message: try orders.message())
      #expect(received.buffer?.framesToGiveBack(presentFrames: 240) == 1_024)
      #expect(received.buffer?.framesToGiveBack(presentFrames: 512) == nil)
      room.update(hasGates: false, hasLoan: false) { Self.orders("mpv:out_1") }
      #expect(guards.started[0].received.last?.buffer == nil)
    }
  }

  @Test func `orders are sent when they change, and only then`() async throws {
    try await run(try Self.configuration()) { _, guards, room in
      for _ in 1...3 { room.update(hasGates: false) { Self.orders("mpv:out_1") } }
      #expect(guards.started.count == 1)
      #expect(guards.started[0].received == [Self.orders("mpv:out_1")])
      room.update(hasGates: false) { Self.orders("mpv:out_2") }
      #expect(guards.started[0].received.last == Self.orders("mpv:out_2"))
    }
  }

  @Test func `orders that did not go out are sent again`() async throws {
    try await run(try Self.configuration()) { _, guards, room in
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      guards.started[0].takesOrders = false
      room.update(hasGates: false) { Self.orders("mpv:out_2") }
      guards.started[0].takesOrders = true
      room.update(hasGates: false) { Self.orders("mpv:out_2") }
      #expect(guards.started[0].received == [Self.orders("mpv:out_1"), Self.orders("mpv:out_2")])
    }
  }

  @Test func `a guard that has died is replaced, and the new one has all orders`() async throws {
    try await run(try Self.configuration()) { bench, guards, room in
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      guards.started[0].isRunning = false
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      #expect(guards.started.count == 2)
      #expect(guards.started[1].received == [Self.orders("mpv:out_1")])
      #expect(bench.takeMessages() == ["the guard (pid 100) is gone; another starts"])
    }
  }

  @Test func `a stopped guard is killed after half a second, and replaced`() async throws {
    try await run(try Self.configuration()) { bench, guards, room, clock in
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      guards.started[0].isStopped = true
      room.look()
      clock.advance(nanoseconds: 400_000_000)
      room.look()
      // It has gone on in between.
      guards.started[0].isStopped = false
      room.look()
      guards.started[0].isStopped = true
      room.look()
      clock.advance(nanoseconds: 400_000_000)
      room.look()
      #expect(!guards.started[0].isKilled)
      clock.advance(nanoseconds: 100_000_000)
      room.look()
      #expect(guards.started[0].isKilled)
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      #expect(guards.started.count == 2)
      #expect(guards.started[1].received == [Self.orders("mpv:out_1")])
      #expect(bench.takeMessages() == ["the guard (pid 100) is stopped; another starts"])
    }
  }

  @Test func `a host without a guard ends the one of an earlier host, once`() async throws {
    try await run(try Self.configuration(program: nil)) { _, guards, room, _ in
      for _ in 0..<3 { room.update(hasGates: true) { Self.orders("mpv:out_1") } }
      #expect(guards.relieved == 1)
    }
    try await run(try Self.configuration()) { _, guards, room, _ in
      room.update(hasGates: true) { Self.orders("mpv:out_1") }
      #expect(guards.relieved == 0)
    }
  }

  @Test func `a guard that cannot be started is reported, and tried again`() async throws {
    try await run(try Self.configuration()) { bench, guards, room in
      guards.canStart = false
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      #expect(bench.takeMessages() == ["no guard can be started"])
      guards.canStart = true
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      #expect(guards.started.count == 1)
      #expect(bench.takeMessages().isEmpty)
    }
  }

  @Test func `the end is part of the last orders`() async throws {
    try await run(try Self.configuration()) { _, guards, room in
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      await room.end()
      var last = Self.orders("mpv:out_1")
      last.isEnd = true
      #expect(guards.started[0].received.last == last)
      #expect(guards.started[0].wasInformed == true)
    }
  }

  @Test func `a guard that takes no orders is ended by a signal`() async throws {
    try await run(try Self.configuration()) { _, guards, room in
      room.update(hasGates: false) { Self.orders("mpv:out_1") }
      guards.started[0].takesOrders = false
      await room.end()
      #expect(guards.started[0].wasInformed == false)
    }
  }

  @Test func `orders survive the channel`() throws {
    let orders = GuardOrders(
      server: "studio",
      client: "dj-guard",
      placements: [.init(port: "mpv:out_1", hardware: ["a", "b"])],
      cuts: [.init(source: "system:capture_1", client: "arecord")],
      captures: .init(ports: ["net:mic"], permitted: ["daw"]),
      token: "word",
      isEnd: true,
    )
    #expect(try GuardOrders(message: try orders.message()) == orders)
    let ends = try #require(GuardChannel.pair())
    defer { ends.guardian.close() }
    #expect(ends.host.send(orders))
    guard case .orders(let received) = ends.guardian.receive(limitMilliseconds: 1_000) else {
      Issue.record("no orders came")
      return
    }
    #expect(received == orders)
    ends.host.close()
    guard case .closed = ends.guardian.receive(limitMilliseconds: 1_000) else {
      Issue.record("the host's end was not noticed")
      return
    }
  }
}
