// SPDX-License-Identifier: MIT

import ControlProtocol
import Glibc
import GraphFiles
import JACK
import Synchronization
import SystemSupport
import Testing

@testable import Host

/// A helper program that does as the test says.
private final class NotedProcess: HelperProcess {
  private struct State {
    var signals: [Int32] = []
    var isStopped = false
  }

  let pid: Int32
  private let state = Mutex(State())
  private let obeys: Bool

  init(pid: Int32, obeys: Bool = true) {
    self.pid = pid
    self.obeys = obeys
  }

  var isStopped: Bool { state.withLock { $0.isStopped } }
  var signals: [Int32] { state.withLock { $0.signals } }
  func stop() { state.withLock { $0.isStopped = true } }
  func send(_ signal: Int32) { state.withLock { $0.signals.append(signal) } }
  func waitForExit(within limit: Duration) -> Bool { obeys }
}

/// When helper programs are started, restarted and killed, and what their reports change.
struct RouteHelpersTests {
  /// The starts of programs, and the way to report as their processes would.
  private final class Programs {
    var processes: [NotedProcess] = []
    var reports: [@Sendable (HelperReport) -> Void] = []
    var failure: String?
    var obeys = true

    func start(
      _ report: @escaping @Sendable (HelperReport) -> Void
    ) throws(HelperFailure) -> NotedProcess {
      if let failure { throw HelperFailure(reason: failure) }
      let process = NotedProcess(pid: Int32(1_000 + processes.count), obeys: obeys)
      processes.append(process)
      reports.append(report)
      return process
    }
  }

  private static func program(_ route: String) throws -> HelperProgram {
    let graph = try GraphFile.parse(
      "multiroute: 1\nname: dj\nroutes: {far: \(route)}\n",
      path: "g.yaml",
    )
    return HelperProgram(
      try #require(graph.routes[0].helper),
      direction: .output,
      client: "dj-far",
      server: "studio",
    )
  }

  private static let bridge = "{device: hw:USB}"
  private static let network = "{njbridge: {address: 192.0.2.7, port: 30000}}"

  private static func exit(_ status: Int32) -> HelperReport {
    .ended(ProcessExit(pid: 1, status: status, signal: nil, lastLines: []))
  }

  private static func line(device: String, delayMilliseconds: String = "null") -> HelperReport {
    .line(
      """
      {"type": "status", "lock": "locked", "device": "\(device)", "reason": null, "ppm": null, \
      "delayMilliseconds": \(delayMilliseconds), "errorFrames": null, "fillFrames": null, \
      "resyncs": 0, "xruns": 0, "deviceLosses": 0}
      """
    )
  }

  private func run(
    _ route: String,
    offReason: String? = nil,
    _ test:
      @Sendable (RoomBench, RoomBench.Surroundings, Programs, RouteHelpers) async throws -> Void,
  ) async throws {
    let program = try Self.program(route)
    let bench = try RoomBench()
    try await bench.run { _, surroundings in
      let programs = Programs()
      let helpers = RouteHelpers(control: surroundings.control) {
        _,
        _,
        _,
        report throws(HelperFailure) in
        try programs.start(report)
      }
      helpers.add(program, for: "far", offReason: offReason)
      try await test(bench, surroundings, programs, helpers)
    }
  }

  @Test func `a helper is started once, and its route says so`() async throws {
    try await run(Self.network) { _, surroundings, programs, helpers in
      for _ in 1...3 { helpers.supervise(server: "studio") }
      #expect(programs.processes.count == 1)
      #expect(surroundings.takeMessages() == ["route 'far': zita-j2n runs, pid 1000"])
      let status = helpers.status(of: "far", hasPorts: true)
      #expect(status?.state == .running && status?.pid == 1_000 && status?.restarts == 0)
    }
  }

  @Test func `a helper that is off never runs, and its route is not ready`() async throws {
    try await run(Self.bridge, offReason: "PipeWire drives the cards") {
      bench,
      _,
      programs,
      helpers in
      for _ in 1...100 {
        bench.advance(milliseconds: 1_000)
        helpers.supervise(server: "studio")
      }
      #expect(programs.processes.isEmpty)
      #expect(!helpers.isReady("far"))
      let status = helpers.status(of: "far", hasPorts: false)
      #expect(status?.state == .off && status?.reason == "PipeWire drives the cards")
    }
  }

  @Test func `a helper that ends is started again after a pause`() async throws {
    try await run(Self.network) { bench, surroundings, programs, helpers in
      helpers.supervise(server: "studio")
      programs.reports[0](Self.exit(1))
      await handedOver()
      let ended = "route 'far': zita-j2n has ended with status 1; it is started again"
      #expect(surroundings.takeMessages().last == ended)
      #expect(helpers.status(of: "far", hasPorts: true)?.state == .waiting)
      helpers.supervise(server: "studio")
      #expect(programs.processes.count == 1)
      bench.advance(milliseconds: 250)
      helpers.supervise(server: "studio")
      #expect(programs.processes.count == 2)
      #expect(helpers.status(of: "far", hasPorts: true)?.restarts == 1)
    }
  }

  @Test func `a late report of an earlier process does not end the present one`() async throws {
    try await run(Self.network) { bench, _, programs, helpers in
      helpers.supervise(server: "studio")
      programs.reports[0](Self.exit(1))
      await handedOver()
      bench.advance(milliseconds: 250)
      helpers.supervise(server: "studio")
      programs.reports[0](Self.exit(1))
      await handedOver()
      #expect(helpers.status(of: "far", hasPorts: true)?.state == .running)
    }
  }

  @Test func `a program that is not installed is reported once, not at each attempt`() async throws
  {
    try await run(Self.network) { bench, surroundings, programs, helpers in
      programs.failure = "zita-j2n is not installed"
      for _ in 1...100 {
        helpers.supervise(server: "studio")
        bench.advance(milliseconds: 1_000)
      }
      #expect(
        surroundings.takeMessages() == [
          "route 'far': zita-j2n is not installed; it is started again"
        ]
      )
      programs.failure = nil
      // The longest pause.
      bench.advance(milliseconds: 10_000)
      helpers.supervise(server: "studio")
      #expect(programs.processes.count == 1)
    }
  }

  @Test func `a bridge makes its route ready while its card is open`() async throws {
    try await run(Self.bridge) { _, _, programs, helpers in
      var changes: [RouteHelpers.Change] = []
      helpers.onChange = { changes.append($0) }
      helpers.supervise(server: "studio")
      #expect(!helpers.isReady("far"))
      for device in ["opening", "open", "waiting"] {
        programs.reports[0](Self.line(device: device))
      }
      await handedOver()
      #expect(changes.map(\.isReady) == [false, true, false])
      programs.reports[0](Self.line(device: "open"))
      programs.reports[0](Self.exit(0))
      await handedOver()
      #expect(!helpers.isReady("far"))
    }
  }

  @Test func `the first timing of a card is reported once for each run`() async throws {
    try await run(Self.bridge) { bench, _, programs, helpers in
      var timings = 0
      helpers.onChange = { if $0.isFirstTiming { timings += 1 } }
      helpers.supervise(server: "studio")
      #expect(!helpers.isTimed("far"))
      programs.reports[0](Self.line(device: "open"))
      for _ in 1...3 { programs.reports[0](Self.line(device: "open", delayMilliseconds: "5.5")) }
      await handedOver()
      #expect(timings == 1 && helpers.isTimed("far"))
      programs.reports[0](Self.exit(0))
      await handedOver()
      #expect(!helpers.isTimed("far"))
      bench.advance(milliseconds: 10_000)
      helpers.supervise(server: "studio")
      programs.reports[1](Self.line(device: "open", delayMilliseconds: "5.5"))
      await handedOver()
      #expect(timings == 2)
    }
  }

  @Test func `lines that are not reports are ignored`() async throws {
    try await run(Self.bridge) { _, surroundings, programs, helpers in
      var changes = 0
      helpers.onChange = { _ in changes += 1 }
      helpers.supervise(server: "studio")
      _ = surroundings.takeMessages()
      for line in ["", "ALSA lib: warning", "{}", #"{"type": "status"}"#, #"{"type": "newer"}"#] {
        programs.reports[0](.line(line))
      }
      await handedOver()
      #expect(changes == 0 && surroundings.takeMessages().isEmpty)
      programs.reports[0](.line(#"{"type": "event", "kind": "resync", "message": "moved by 3"}"#))
      await handedOver()
      #expect(surroundings.takeMessages() == ["route 'far': moved by 3"])
    }
  }

  @Test func `a helper that is stopped is killed after two seconds`() async throws {
    try await run(Self.network) { bench, _, programs, helpers in
      helpers.supervise(server: "studio")
      programs.processes[0].stop()
      for _ in 1...30 {
        bench.advance(milliseconds: 50)
        helpers.supervise(server: "studio")
      }
      #expect(programs.processes[0].signals.isEmpty)
      #expect(helpers.status(of: "far", hasPorts: true)?.reason == "it is stopped")
      for _ in 1...40 {
        bench.advance(milliseconds: 50)
        helpers.supervise(server: "studio")
      }
      #expect(programs.processes[0].signals == [SIGKILL])
      programs.reports[0](
        .ended(ProcessExit(pid: 1, status: nil, signal: 9, lastLines: []))
      )
      await handedOver()
      let status = helpers.status(of: "far", hasPorts: true)
      #expect(status?.reason == "zita-j2n was stopped, and was killed")
    }
  }

  @Test(arguments: [true, false])
  func `at the end every helper gets SIGTERM, and SIGKILL where it stays`(obeys: Bool) async throws
  {
    try await run(Self.network) { _, _, programs, helpers in
      programs.obeys = obeys
      helpers.supervise(server: "studio")
      await helpers.end()
      #expect(programs.processes[0].signals == (obeys ? [SIGTERM] : [SIGTERM, SIGKILL]))
      #expect(!helpers.has("far"))
      helpers.supervise(server: "studio")
      #expect(programs.processes.count == 1)
    }
  }
}
