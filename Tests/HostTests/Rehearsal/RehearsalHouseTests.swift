// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import GraphFiles
import Sessions
import TestSupport
import Testing

@testable import Host

/// Rehearsals of what hosts have recorded, compared with these hosts and with others that have another policy.
struct RehearsalHouseTests {
  private static func graph(_ policy: String) -> String {
    """
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      mic: {type: builtInMic, direction: input, ports: [system:capture_1]}
    sources: {deck: {tone: {}}}
    mix: [{from: deck, to: main}]
    \(policy)
    """
  }

  /// The two policies: they differ in classes, permissions, ducks, presets, and in whom they leave alone.
  static let policies = [
    graph(
      """
      permissions: {default: granted}
      tower: {classes: {alarm: [bell], phone: [phone]}, duck: {gain: -20 dB}}
      adopt:
        - {client: voice, session: {category: playback, options: [duckOthers]}}
        - {client: /call.*/, session: {category: playback, class: phone}}
        - {client: show, session: {preset: browser}}
        - {session: {preset: player}}
      """
    ),
    graph(
      """
      permissions: {default: denied, granted: [call-1]}
      tower: {classes: {alarm: [bell]}, duck: {gain: -3 dB}}
      adopt:
        - {client: voice, leave: true}
        - {client: /call.*/, session: {preset: voip}}
        - {client: show, session: {category: playback, class: alarm}}
        - {session: {preset: game}}
      """
    ),
  ]

  /// 100 logs in the gate; `MULTIROUTE_REHEARSED_LOGS=10000` for the long run.
  static let logs =
    ProcessInfo.processInfo.environment["MULTIROUTE_REHEARSED_LOGS"].flatMap { Int($0) } ?? 100
  /// The first of the pairs; `MULTIROUTE_REHEARSED_FIRST=51` begins at the fifty-first.
  static let first =
    ProcessInfo.processInfo.environment["MULTIROUTE_REHEARSED_FIRST"].flatMap { Int($0) } ?? 0
  /// The steps of one log.
  static let steps = 10
  /// The logs that one pair of hosts records, one after the other.
  static let logsOfHosts = 50

  @Test func `a log of one host is what it did, and with another host's policy what that one did`()
    async throws
  {
    var sights: Set<Sight> = []
    for round in Self.first..<Self.first + max(1, Self.logs / Self.logsOfHosts) {
      let pair = try await HousePair(seed: TestSeed.derived(number: round))
      let difference = try await pair.run(steps: Self.logsOfHosts * Self.steps, &sights)
      await pair.end()
      if let difference {
        Issue.record("round \(round): \(difference)")
        return
      }
    }
    // The steps come by all that is compared.
    #expect(sights == Set(Sight.allCases))
  }

  /// Something that the steps must come by, or the comparison says little.
  private enum Sight: CaseIterable {
    case interrupted, ducked, silent, onlyInOneHost, differentInBoth
  }

  /// Two hosts, of which the first records what both are told.
  private struct HousePair {
    let houses: [House]
    private let log: String
    private var lines: GrowingLog
    private var steps: RandomSteps

    init(seed: UInt64) async throws {
      log = NSTemporaryDirectory() + "rehearsal-\(UUID().uuidString).jsonl"
      lines = GrowingLog(path: log)
      steps = RandomSteps(seed: seed)
      houses = [
        try House(RehearsalHouseTests.policies[0], eventLog: log),
        try House(RehearsalHouseTests.policies[1]),
      ]
      for house in houses {
        try await house.host.live()
        await house.settle()
      }
    }

    /// The first step after which a rehearsal and its host differ; nil without one.
    func run(steps count: Int, _ sights: inout Set<Sight>) async throws -> String? {
      var (steps, lines) = (steps, lines)
      var rehearsers = try begin(&lines)
      var history: [String] = []
      for _ in 0..<count {
        let step = steps.next()
        history.append("\(step)")
        for house in houses { await carryOut(step, in: house) }
        for line in try lines.lines() {
          let event = try JSONDecoder().decode(TowerEvent.self, from: Data(line.utf8))
          for index in rehearsers.indices { _ = rehearsers[index].take(event) }
        }
        look(rehearsers, &sights)
        for (house, rehearser) in zip(houses, rehearsers) {
          let heard = Set(await house.heard)
          let rehearsed = Set(rehearser.heard)
          if heard != rehearsed {
            let last = history.suffix(12).joined(separator: "\n")
            return
              "after\n\(last)\nhost \(heard.subtracting(rehearsed))\nrehearsal \(rehearsed.subtracting(heard))"
          }
        }
      }
      return nil
    }

    private func look(_ rehearsers: [Rehearser], _ sights: inout Set<Sight>) {
      let both = rehearsers.map(\.heard)
      for session in both.joined() {
        if session.interruptedBy != nil { sights.insert(.interrupted) }
        if session.duckGainDB != 0 { sights.insert(.ducked) }
        if session.isActive, !session.isSounding { sights.insert(.silent) }
      }
      let ids = both.map { Set($0.map(\.id)) }
      if ids[0] != ids[1] { sights.insert(.onlyInOneHost) }
      if ids[0] == ids[1], Set(both[0]) != Set(both[1]) { sights.insert(.differentInBoth) }
    }

    private func begin(_ lines: inout GrowingLog) throws -> [Rehearser] {
      var text = try lines.lines()
      let log = try EventLog(jsonLines: text.removeFirst() + "\n")
      let events = try text.map { try JSONDecoder().decode(TowerEvent.self, from: Data($0.utf8)) }
      return try RehearsalHouseTests.policies.map {
        let graph = try GraphFile.parse($0, path: "house.yaml")
        var rehearser = Rehearser(policy: graph.rehearsedPolicy, start: log.start)
        for event in events { _ = rehearser.take(event) }
        return rehearser
      }
    }

    private func carryOut(_ step: RandomSteps.Step, in house: House) async {
      switch step {
      case .appear(let client): await house.play { $0.start(client) }
      case .vanish(let client): await house.play { $0.vanish(client) }
      case .request(let method, let params):
        let isOpening = method == "openSession"
        // Refusals are a part of what is rehearsed; a session that is there is not opened anew.
        if isOpening, let app = params.split(separator: "\"").dropFirst(2).first,
          await house.session(String(app)) != nil
        {
          return
        }
        _ = try? await house.call(method, params)
      }
    }

    func end() async {
      for house in houses {
        let directory = house.host.configuration.stateDirectory
        await house.end()
        if let directory { try? FileManager.default.removeItem(atPath: directory) }
      }
      try? FileManager.default.removeItem(atPath: log)
    }
  }

  // MARK: - Shipped policies

  private func rehearsal(_ policy: String, _ events: String) throws -> Rehearsal {
    let folder = try #require(ShippedPolicies().folder)
    let graph = try GraphFile.parse("multiroute: 1\ninclude: [\(policy)]\n", path: "g.yaml")
    let path = "\(folder)/events/\(events).yaml"
    let script = try EventScript.parse(GraphFile.text(ofFile: path), path: path)
    return Rehearsal(of: try script.log(for: graph), with: graph.rehearsedPolicy)
  }

  /// The states of a session one after the other.
  private func states(_ name: String, _ rehearsal: Rehearsal) -> [Standing.State?] {
    rehearsal.moments.flatMap(\.changes).filter { $0.name == name }.map { $0.after?.state }
  }

  @Test func `dj: the set goes on whatever else sounds, and nothing is lowered`() throws {
    let evening = try rehearsal("dj", "evening")
    #expect(states("mixxx", evening) == [.silent, .heard])
    #expect(states("mpv", evening) == [.silent, .heard, nil])
    #expect(states("linphone", evening) == [.silent, .heard, nil])
    #expect(states("navigation", evening) == [.silent, .heard, .silent])
  }

  @Test func `kiosk: one program at a time, an announcement interrupts it, nobody records`()
    throws
  {
    let day = try rehearsal("kiosk", "kiosk")
    for moment in day.moments {
      #expect(moment.standings.count { $0.state == .heard } <= 1)
      #expect(moment.standings.allSatisfy { $0.state != .lowered })
    }
    #expect(states("film", day) == [.silent, .heard, .interrupted, .heard, nil])
    #expect(day.moments.last?.standings.map(\.state) == [.heard])
    let recorder = try GraphFile.parse("multiroute: 1\ninclude: [kiosk]\n", path: "g.yaml")
    #expect(recorder.rehearsedPolicy.configuration.defaultPermission == .denied)
  }

  @Test func `studio: instruments play on, studio programs are left alone, a call stops a player`()
    throws
  {
    let graph = try GraphFile.parse("multiroute: 1\ninclude: [studio]\n", path: "g.yaml")
    let script = try EventScript.parse(
      """
      multiroute: 1
      events:
        - {at: 0 s, client: ardour, executable: /usr/bin/ardour8}
        - {at: 1 s, client: fluidsynth}
        - {at: 1 s, play: fluidsynth}
        - {at: 2 s, client: mpv}
        - {at: 2 s, play: mpv}
        - {at: 3 s, client: linphone}
        - {at: 3 s, play: linphone}
        - {at: 4 s, close: linphone}
      """,
      path: "studio.yaml",
    )
    let session = Rehearsal(of: try script.log(for: graph), with: graph.rehearsedPolicy)
    #expect(states("ardour", session) == [.leftAlone])
    #expect(states("fluidsynth", session) == [.silent, .heard])
    #expect(states("mpv", session) == [.silent, .heard, .interrupted, .heard])
  }

  @Test func `car: directions lower the music, calls interrupt it, a warning waits for the call`()
    throws
  {
    let drive = try rehearsal("car", "drive")
    #expect(
      states("mpv", drive)
        == [.silent, .heard, .lowered, .heard, .interrupted, .heard, .interrupted, .heard]
    )
    // The call goes on: a warning of the class below it is refused meanwhile.
    #expect(states("parking", drive) == [.inactive, nil])
    #expect(states("seat-belt", drive) == [.inactive, .heard, nil])
  }

  @Test func `a written event with an unknown route is told with its place, and the routes`() throws
  {
    let graph = try GraphFile.parse(Self.policies[0], path: "house.yaml")
    let script = try EventScript.parse(
      "multiroute: 1\nevents:\n- {at: 1 s, unplug: hall}\n",
      path: "e.yaml",
    )
    let error = #expect(throws: GraphFileErrors.self) { try script.log(for: graph) }
    #expect(
      error?.description
        == "e.yaml:3:3: error: unplug: house.yaml has no route 'hall'; there are: main, mic"
    )
  }
}
