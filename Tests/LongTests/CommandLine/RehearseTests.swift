// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Sessions
import TestSupport
import Testing

@testable import EndToEndSupport

/// `multiroute rehearse`, compared with a host that runs.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RehearseTests {
  /// A few steps in the gate; `MULTIROUTE_REHEARSED_STEPS=50` for the long run.
  static let steps =
    ProcessInfo.processInfo.environment["MULTIROUTE_REHEARSED_STEPS"].flatMap { Int($0) } ?? 12

  /// A few logs in the gate; `MULTIROUTE_REHEARSED_HOSTS=50` for the long run.
  static let logs =
    ProcessInfo.processInfo.environment["MULTIROUTE_REHEARSED_HOSTS"].flatMap { Int($0) } ?? 2

  private static let text = graph(policy: "car")

  private static func graph(policy: String) -> String {
    """
    multiroute: 1
    name: rehearsed
    include: [\(policy)]
    session: {category: playback, options: [mixWithOthers]}
    tower: {classes: {phone: [phone], alarm: [bell]}, appsMayChangePolicy: true}
    routes: {main: {type: lineOut, ports: [system:playback_1]}}
    sources: {deck: {tone: {}}}
    mix: [{from: deck, to: main}]
    """
  }

  /// Something that a program or a user does.
  private struct Act {
    enum Kind: CaseIterable { case open, deactivate, simulate, close }

    let app: String
    let kind: Kind
    let event: Simulate.Event

    init(_ random: inout SeededRandom) {
      func pick<Value>(_ list: [Value]) -> Value { list[Int(random.next() >> 33) % list.count] }
      app = pick(["radio", "say", "bell", "phone"])
      kind = pick([.open, .open, .deactivate, .deactivate, .simulate, .close])
      event = pick([.callRing, .callAnswer, .callEnd, .interruptionBegin])
    }

    /// Does it at a host; refusals are a part of what is rehearsed.
    func carryOut(at host: HostProcess, _ client: ControlClient) async throws {
      switch kind {
      case .open:
        var params = OpenSession.Params(app: app)
        params.category = .playback
        params.options = app == "say" ? .duckOthers : []
        params.priorityClass = ["bell": .alarm, "phone": .phone][app]
        if try await !host.status().sessions.contains(where: { $0.app == app }) {
          _ = try? await client.call(OpenSession.self, params)
        }
        _ = try? await client.call(ActivateSession.self, .init(session: app))
      case .deactivate: _ = try? await client.call(DeactivateSession.self, .init(session: app))
      case .simulate:
        var params = Simulate.Params(event: event)
        if event == .interruptionBegin { params.priorityClass = .alarm }
        _ = try await client.call(Simulate.self, params)
      case .close: _ = try? await client.call(CloseSession.self, .init(session: app))
      }
    }
  }

  /// The session lines of `status --json` and of `rehearse --json` that must be the same.
  private struct Line: Decodable, Hashable, Comparable, CustomStringConvertible {
    let id: String
    let active: Bool
    let interruptedBy: String?
    let duckedBy: [String]
    var description: String { "\(id) \(active) \(interruptedBy ?? "-") \(duckedBy)" }
    static func < (a: Line, b: Line) -> Bool { a.id < b.id }
  }

  private struct Lines: Decodable { let sessions: [Line] }

  private func lines(_ arguments: [String], _ scratch: Scratch) async throws -> [Line] {
    let output = try await Multiroute.run(arguments, in: scratch)
    guard output.end == .code(0) else { throw TestFailure(output.standardError) }
    return try JSONDecoder().decode(Lines.self, from: Data(output.standardOutput.utf8)).sessions
      .sorted()
  }

  @Test(.jackServer(frames: 256))
  func `after each step a host has the sessions that a rehearsal of its log has`() async throws {
    let scratch = try Scratch()
    let server = try testServer()
    let log = scratch.path + "/events.jsonl"
    let graph = try scratch.write(Self.text, to: "rehearsed.yaml")
    let host = try HostProcess(
      graph: graph,
      server: server.name,
      arguments: ["--event-log", log],
      in: scratch,
    )
    try await host.attached()
    let client = try await host.control()
    var random = TestSeed.random()
    for step in 0..<Self.steps {
      try await Act(&random).carryOut(at: host, client)
      // Meters of the running tone may add events between the two looks: compare when both agree on the log.
      var (shown, rehearsed): ([Line], [Line]) = ([], [])
      try await waitUntil("step \(step): the host and the rehearsal are the same") {
        shown = try await lines(["status", "--json", "--host", host.name], scratch)
        rehearsed = try await lines(["rehearse", graph, "--events", log, "--json"], scratch)
        return shown == rehearsed
      }
      #expect(shown == rehearsed, "step \(step)")
    }
    await client.close()
    host.child.send(SIGTERM)
    _ = try await host.child.waitForEnd()
  }

  @Test(.jackServer(frames: 256))
  func `a log through two policies is what a host with each of them did`() async throws {
    let server = try testServer().name
    for number in 0..<Self.logs {
      let scratch = try Scratch()
      var random = TestSeed.random(number: number)
      let log = scratch.path + "/events.jsonl"
      let graphs = try ["car", "kiosk"].map {
        try scratch.write(Self.graph(policy: $0), to: "\($0).yaml")
      }
      let hosts = try graphs.enumerated().map { index, graph in
        try HostProcess(
          graph: graph,
          server: server,
          arguments: index == 0 ? ["--event-log", log] : [],
          in: scratch,
        )
      }
      var clients: [ControlClient] = []
      for host in hosts {
        try await host.attached()
        clients.append(try await host.control())
      }
      for _ in 0..<8 {
        let act = Act(&random)
        for (host, client) in zip(hosts, clients) { try await act.carryOut(at: host, client) }
      }
      for (host, graph) in zip(hosts, graphs) {
        try await waitUntil("log \(number): \(graph) is the same") {
          let shown = try await lines(["status", "--json", "--host", host.name], scratch)
          return shown
            == (try await lines(["rehearse", graph, "--events", log, "--json"], scratch))
        }
      }
      for client in clients { await client.close() }
      for host in hosts { host.child.send(SIGTERM) }
      for host in hosts { _ = try await host.child.waitForEnd() }
    }
  }
}
