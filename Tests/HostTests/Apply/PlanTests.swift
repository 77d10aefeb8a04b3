// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Testing

@testable import Host

/// The plans of versions of a graph, asked for over the control socket.
struct PlanTests {
  private static let graph = """
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: granted}
    adopt:
      - {client: guide, session: {preset: navigation}}
      - {session: {preset: player}}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
      mic: {type: builtInMic, direction: input, ports: [system:capture_1]}
    sources:
      deck-a: {ports: ["a:left", "a:right"]}
      deck-b: {ports: ["b:left", "b:right"]}
    mix:
      - {from: deck-a, to: main}
      - {from: deck-b, to: main}
    controls: {crossfader: {a: deck-a, b: deck-b}, cue: {to: phones}}

    """

  /// The answer to `apply` with the graph's text, in which texts are replaced.
  private static func answer(
    _ house: House,
    _ replacing: [(String, String)],
    isDry: Bool = true,
    connection: UInt64? = nil,
  ) async throws -> ApplyGraph.Result {
    let text = replacing.reduce(graph) { $0.replacing($1.0, with: $1.1) }
    #expect(replacing.isEmpty || text != graph)
    let params = try JSONEncoder().encode(ApplyGraph.Params(text: text, dryRun: isDry))
    let answer = try await house.call(
      "apply",
      String(decoding: params, as: UTF8.self),
      connection: connection,
    )
    return try JSONDecoder().decode(ApplyGraph.Result.self, from: JSONEncoder().encode(answer))
  }

  private static func plan(_ house: House, _ replacing: (String, String)...) async throws
    -> GraphPlan
  {
    let result = try await answer(house, replacing)
    #expect(!result.applied && result.version.number == 1)
    return result.plan
  }

  private static func texts(_ heard: [GraphPlan.Heard]) -> [String] {
    heard.map { "\($0.strip ?? "")|\($0.route ?? "")|\($0.$effect)|\($0.rampMilliseconds)" }
  }

  @Test func `the same graph has an empty plan`() async throws {
    try await House.with(Self.graph) { house in
      let same = try await Self.plan(house)
      let commented = try await Self.plan(
        house,
        ("multiroute: 1\n", "# a comment\nmultiroute: 1\n")
      )
      #expect(same == GraphPlan() && commented.isEmpty)
    }
  }

  @Test func `a gain is one change, from its old value to the new one, and one ramp`() async throws
  {
    try await House.with(Self.graph) { house in
      let plan = try await Self.plan(
        house,
        ("playback_2]}", "playback_2], gain: -6 dB}"),
        ("name: house\n", "name: house\nramp: 20 ms\n"),
      )
      let route = try #require(plan.changes.last)
      #expect(route.part == "route main" && route.kind == .changed)
      #expect(route.values == [.init(key: "gain", from: "0 dB", to: "-6 dB")])
      #expect(plan.changes.first?.part == "ramp")
      #expect(Self.texts(plan.heard) == ["|main|ramps|20.0"])
      #expect(plan.sessions.isEmpty && plan.hardware.isEmpty && plan.server == nil)
    }
  }

  @Test func `a value set by hand stays, unless the file changes that very value`() async throws {
    try await House.with(Self.graph) { house in
      try await house.call("setGain", #"{"route":"main","gainDB":-9}"#)
      let label = try await Self.plan(house, ("playback_2]}", "playback_2], label: PA}"))
      #expect(label.changes.count == 1 && label.heard.isEmpty)
      // The user has set what the file says now: nothing moves.
      let same = try await Self.plan(house, ("playback_2]}", "playback_2], gain: -9 dB}"))
      #expect(same.changes.count == 1 && same.heard.isEmpty)
      let other = try await Self.plan(house, ("playback_2]}", "playback_2], gain: -3 dB}"))
      #expect(Self.texts(other.heard) == ["|main|ramps|5.0"])
    }
  }

  @Test func `strips, routes and sends come and go with a fade; the rest is not heard`()
    async throws
  {
    try await House.with(Self.graph) { house in
      let more = try await Self.plan(
        house,
        ("sources:\n", "sources:\n  song: {tone: {}}\n"),
        ("mix:\n", "mix:\n  - {from: song, to: main}\n  - {from: deck-a, to: phones}\n"),
      )
      #expect(Self.texts(more.heard) == ["song||fadesIn|5.0", "deck-a|phones|fadesIn|5.0"])
      let fewer = try await Self.plan(
        house,
        ("  deck-b: {ports: [\"b:left\", \"b:right\"]}\n", ""),
        ("  - {from: deck-b, to: main}\n", ""),
        (", b: deck-b}", ", b: []}"),
      )
      #expect(Self.texts(fewer.heard) == ["deck-b||fadesOut|5.0"])
      #expect(fewer.changes.map(\.part).contains("source deck-b"))
    }
  }

  @Test func `a renamed source is not heard`() async throws {
    try await House.with(Self.graph) { house in
      let plan = try await Self.plan(
        house,
        ("deck-a", "player"),
        ("player: {ports", "player: {was: deck-a, ports"),
      )
      #expect(plan.changes.map(\.part) == ["source player"])
      #expect(plan.changes.first?.kind == .renamed && plan.changes.first?.was == "deck-a")
      #expect(plan.heard.isEmpty && plan.server == nil && plan.sessions.isEmpty)
    }
  }

  @Test func `other ports of a source are a pause of its strip`() async throws {
    try await House.with(Self.graph) { house in
      let plan = try await Self.plan(house, ("\"b:right\"", "\"c:right\""))
      #expect(Self.texts(plan.heard) == ["deck-b||pauses|5.0"])
      #expect(try #require(plan.heard.first?.silentMilliseconds) > 0)
    }
  }

  @Test func `another name of the host is for a new start, with the time that the last one took`()
    async throws
  {
    try await House.with(Self.graph) { house in
      let server = try await Self.plan(house, ("name: house", "name: home")).server
      #expect(server?.effect == .hostStartsAgain)
      #expect(server?.silentMilliseconds != nil)
    }
  }

  @Test func `other settings of the server are told with the time of silence`() async throws {
    try await House.with(Self.graph) { house in
      let server = try await Self.plan(
        house,
        ("name: house", "name: house\nserver: {name: two, driver: dummy}")
      )
      .server
      #expect(server?.effect == .changes && server?.reason == "'server' changes")
      #expect(server?.silentMilliseconds != nil)
    }
  }

  @Test func `another I/O buffer is told with the present one`() async throws {
    try await House.with(Self.graph) { house in
      let now = try #require(await house.status.hardware.ioBufferFrames.actual)
      let plan = try await Self.plan(
        house,
        ("[mixWithOthers]}", "[mixWithOthers], preferred: {ioBufferFrames: 512}}"),
      )
      #expect(plan.hardware == [.init(value: "ioBufferFrames", from: Int(now), to: 512)])
    }
  }

  @Test func `a program that records without a session is told to lose that, or to get it`()
    async throws
  {
    let granting = Self.graph.replacing("{session: {preset: player}}", with: "{leave: true}")
      .replacing("{default: granted}", with: #"{default: denied, granted: ["client:tape"]}"#)
    let denying = granting.replacing(#", granted: ["client:tape"]"#, with: "")
    let open = granting.replacing("permissions:", with: "# permissions:")
    for (from, to, effect) in [
      (granting, denying, "losesRecording"), (denying, granting, "mayRecord"),
      (denying, open, "mayRecord"), (open, denying, "losesRecording"),
    ] {
      try await House.with(from) { house in
        await house.play { server in
          server.appear("tape", inputs: ["in"])
          server.connect("system:capture_1", "tape:in")
        }
        await house.advance(milliseconds: 100)
        let params = try JSONEncoder().encode(ApplyGraph.Params(text: to, dryRun: true))
        let answer = try await house.call("apply", String(decoding: params, as: UTF8.self))
        let plan = try JSONDecoder()
          .decode(ApplyGraph.Result.self, from: JSONEncoder().encode(answer)).plan
        #expect(plan.sessions.map { "\($0.session) \($0.$effect)" } == ["tape \(effect)"])
      }
    }
  }

  @Test func `the tower itself says who is lowered, interrupted or silent`() async throws {
    try await House.with(Self.graph) { house in
      await house.play { server in
        for client in ["radio", "guide"] {
          server.appear(client, outputs: ["out"])
          server.connect("\(client):out", "system:playback_1")
        }
      }
      await house.play { $0.presence?.soundingStrips = ["guide", "radio"] }
      await house.advance(milliseconds: 100)
      #expect(await house.session("radio")?.duckedBy == ["guide"])
      let deeper = try await Self.plan(
        house,
        ("routes:\n", "tower: {duck: {gain: -20 dB}}\nroutes:\n")
      )
      let lowered = deeper.sessions.first { $0.session == "radio" }
      #expect(lowered?.effect == .ducked && lowered?.reason.contains("-20 dB") == true)

      let gone = try await Self.plan(
        house,
        (
          "  - {client: guide, session: {preset: navigation}}\n",
          "  - {client: guide, leave: true}\n"
        )
      )
      let effects = gone.sessions.map { "\($0.session) \($0.$effect)" }
      #expect(effects.contains("guide ends") && effects.contains("radio restored"))
      // A plan changes nothing.
      #expect(await house.session("radio")?.duckedBy == ["guide"])
      #expect(await house.session("guide") != nil)
    }
  }

  @Test func `a session that loses the right to record is told`() async throws {
    try await House.with(Self.graph) { house in
      try await house.call("openSession", #"{"app":"rec","category":"record"}"#)
      try await house.call("activateSession", #"{"session":"rec"}"#)
      try await house.call("adjustSession", #"{"session":"rec","ioRunning":true}"#)
      let plan = try await Self.plan(
        house,
        ("{default: granted}", "{default: granted, denied: [rec]}")
      )
      let change = plan.sessions.first { $0.session == "rec" && $0.effect == .losesRecording }
      #expect(change?.reason.contains("denied") == true, "\(plan.sessions)")
    }
  }

  @Test func `a graph with faults changes nothing, and is answered whole`() async throws {
    try await House.with(Self.graph) { house in
      _ = await house.events()
      for isDry in [true, false] {
        let refusal = await #expect(throws: Refusal.self) {
          _ = try await Self.answer(
            house,
            [("lineOut", "lineout"), ("from: deck-b", "from: deck-c")],
            isDry: isDry
          )
        }
        let lines = refusal?.message.split(separator: "\n") ?? []
        #expect(lines.count == 2, "\(lines)")
        #expect(
          lines.first?.hasPrefix("house.yaml:9:16: error: type: 'lineout' is not known") == true
        )
        #expect(lines.last?.contains("error: from: there is no source 'deck-c'") == true)
      }
      let events = await house.events().map(\.payload)
      let refused = events.compactMap {
        if case .graphRefused(let details) = $0 { details } else { nil }
      }
      #expect(refused.count == 1 && refused.first?.faults.count == 2, "the dry run has no event")
      let status = await house.status
      #expect(status.host.graphVersion?.number == 1 && status.strips.count == 2)
    }
  }

  @Test func `a port that JACK refuses is refused, and no reason to try again`() async throws {
    try await House.with(Self.graph) { house in
      await house.play { $0.refusedPorts = ["house:song_in_1"] }
      let refusal = await #expect(throws: Refusal.self) {
        _ = try await Self.answer(
          house,
          [("sources:\n", "sources:\n  song: {tone: {}}\n")],
          isDry: false
        )
      }
      #expect(refusal?.code == .refused)
      #expect(refusal?.message.contains("song_in_1") == true)
    }
  }

  @Test(
    arguments: [
      (.badGraph, .badValue), (.noServer, .notReady), (.jack, .refused), (.noPort, .refused),
      (.noSocket, .refused), (.notKept, .refused),
    ] as [(HostError.Code, ControlErrorCode)]
  )
  func `only a server that is away is worth another try`(
    failure: HostError.Code,
    code: ControlErrorCode
  ) {
    #expect(failure.controlCode == code)
  }

  @Test func `apps may not ask for another graph, unless the graph lets them`() async throws {
    try await House.with(Self.graph) { house in
      try await house.call("openSession", #"{"app":"game","category":"playback"}"#)
      await #expect(throws: Refusal.self) {
        _ = try await Self.answer(house, [], connection: 1)
      }
    }
    let open = Self.graph.replacing(
      "routes:\n",
      with: "tower: {appsMayChangePolicy: true}\nroutes:\n"
    )
    try await House.with(open) { house in
      try await house.call("openSession", #"{"app":"game","category":"playback"}"#)
      let answer = try await Self.answer(house, [], connection: 1)
      #expect(!answer.applied)
    }
  }

  @Test func `a path that is not absolute is refused`() async throws {
    try await House.with(Self.graph) { house in
      await #expect(throws: ControlError.self) {
        _ = try await house.call("apply", #"{"path":"g.yaml"}"#)
      }
    }
  }
}
