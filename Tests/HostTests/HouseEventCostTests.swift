// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// A server on which every program is adopted.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    mic: {type: lineIn, direction: input, ports: [/system:capture_.*/]}
  sources: {}
  mix: []
  adopt:
    - {session: {category: playback, options: [mixWithOthers]}}
  """

/// The work of the host because of an event.
private struct Cost: Equatable, CustomStringConvertible {
  /// Rules, connections and watched questions of the patch.
  var patch: Int
  /// Sessions that are asked whether their audio runs.
  var sessions: Int
  /// Ports and connections that the server is asked for.
  var server: Int

  static func - (now: Cost, before: Cost) -> Cost {
    Cost(
      patch: now.patch - before.patch,
      sessions: now.sessions - before.sessions,
      server: now.server - before.server,
    )
  }

  /// The largest difference of one kind of work.
  func difference(from other: Cost) -> Int {
    max(abs(patch - other.patch), abs(sessions - other.sessions), abs(server - other.server))
  }

  var description: String { "\(patch) of the patch, \(sessions) sessions, \(server) questions" }
}

extension House {
  /// The work of the host so far.
  private var cost: Cost {
    get async {
      let server = server
      return await host.run { rooms in
        Cost(
          patch: rooms.control.attachment?.connections.visits ?? 0,
          sessions: rooms.sessions.runningChecks,
          server: server.questions,
        )
      }
    }
  }

  /// The work of the host so far, once it has nothing left to do.
  private var costAtRest: Cost {
    get async {
      var (last, now) = (Cost(patch: -1, sessions: 0, server: 0), await cost)
      while now != last {
        await settle()
        (last, now) = (now, await cost)
      }
      return now
    }
  }

  /// The work of the host because of each of these events, on a server with so many other programs.
  fileprivate static func costs(
    others: Int,
    of events: [(String, @Sendable (ScriptedServer) -> Void)],
  ) async throws -> [Cost] {
    var costs: [Cost] = []
    try await with(graph) { house in
      await house.play { server in for number in 0..<others { server.start("app\(number)") } }
      var before = await house.costAtRest
      for (_, event) in events {
        await house.play(event)
        let now = await house.costAtRest
        costs.append(now - before)
        before = now
      }
    }
    return costs
  }
}

/// The cost of an event is that of its changes, however many other programs there are.
struct HouseEventCostTests {
  @Test func `an event costs no more with 100 other programs than with 20`() async throws {
    let events: [(String, @Sendable (ScriptedServer) -> Void)] = [
      ("a program comes", { $0.start("new") }),
      ("a program goes", { $0.vanish("app3") }),
      ("a port comes that is nobody's", { $0.appear("scope", inputs: ["in"]) }),
      ("a program is connected to another one", { $0.connect("app4:left", "app5:in") }),
      ("a program leaves its strip", { $0.disconnect("app6:left", "house:app6_in_1") }),
      ("a user patches a route", { $0.connect("house:main_out_1", "scope:in") }),
    ]
    let few = try await House.costs(others: 20, of: events)
    let many = try await House.costs(others: 100, of: events)
    for (place, (name, _)) in events.enumerated() {
      // The notifications of one event are settled in one round, or in two where the thread rests between them. Work for each
      // program would be at least 80 more.
      let isAlike = many[place].difference(from: few[place]) < 20
      #expect(isAlike, "\(name): \(few[place]), then \(many[place])")
    }
  }
}
