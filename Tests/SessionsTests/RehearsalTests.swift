// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import TestSupport
import Testing

@Suite("Rehearsals of policies")
struct RehearsalTests {
  /// Two policies: their settings of the tower.
  static let configurations: [TowerConfiguration] = [
    Checker.start.configuration,
    {
      var other = TowerConfiguration()
      other.priorityClasses = ["music": .phone, "radio": .alarm, "phone": .app]
      other.duckGainDB = -30
      other.defaultPermission = .granted
      other.permissions = ["game": .denied]
      return other
    }(),
  ]

  static func policy(_ configuration: TowerConfiguration) -> RehearsedPolicy {
    RehearsedPolicy(configuration: configuration) { $0 }
  }

  /// 1,000 logs in the gate; `MULTIROUTE_REHEARSED_LOGS=10000` for the long run.
  static let logs =
    ProcessInfo.processInfo.environment["MULTIROUTE_REHEARSED_LOGS"].flatMap { Int($0) } ?? 1_000

  @Test(
    "random logs: after each event the state is that of the tower that was recorded",
    arguments: [0, 1]
  )
  func sameAsTower(index: Int) {
    let configuration = Self.configurations[index]
    var random = RandomEvents(seed: TestSeed.derived())
    for _ in 0..<Self.logs {
      let events = random.sequence(count: 40)
      let start = TowerState(configuration: configuration)
      var rehearser = Rehearser(policy: Self.policy(configuration), start: start)
      var tower = Tower(state: start)
      for event in events {
        _ = rehearser.take(event)
        _ = tower.step(event)
        if rehearser.state != tower.state {
          Issue.record("\(event.kind)")
          return
        }
      }
      let active = tower.state.sessions.filter(\.isActive).map(\.app).sorted()
      #expect(rehearser.standings.filter(\.isActive).map(\.app).sorted() == active)
    }
  }

  @Test("a written and read log is rehearsed as the one in memory")
  func recorded() throws {
    var random = RandomEvents(seed: TestSeed.derived())
    let log = EventLog(start: Checker.start, events: random.sequence(count: 200))
    let read = try EventLog(jsonLines: log.jsonLines())
    let policy = Self.policy(Self.configurations[1])
    let (first, second) = (
      Rehearsal(of: RehearsalScript(log), with: policy),
      Rehearsal(of: RehearsalScript(read), with: policy)
    )
    #expect(first.moments.map(\.standings) == second.moments.map(\.standings))
    #expect(RehearsalComparison(first, second).differences.isEmpty)
  }

  @Test("a log with a bad number neither crashes the rehearsal nor is taken for another")
  func mutated() throws {
    var dice = Dice(seed: TestSeed.derived("dice"))
    var random = RandomEvents(seed: TestSeed.derived())
    let text = try EventLog(start: Checker.start, events: random.sequence(count: 60)).jsonLines()
    let numbers = text.matches(of: /[0-9]+/).map(\.range)
    var read = 0
    for _ in 0..<400 {
      var bad = text
      let number = dice.pick([
        "0", "-1", "1", "18446744073709551615", "9223372036854775807", "1e300", "4294967295", "",
      ])
      bad.replaceSubrange(dice.pick(numbers), with: number)
      guard let log = try? EventLog(jsonLines: bad), (try? log.checkOrder()) != nil else {
        continue
      }
      read += 1
      let rehearsal = Rehearsal(
        of: RehearsalScript(log),
        with: Self.policy(Self.configurations[0]),
      )
      #expect(rehearsal.moments.count == log.events.count)
    }
    #expect(read > 50)
  }

  /// A session of music, as it is opened.
  private func opened(
    _ id: SessionID,
    _ app: String,
    _ priorityClass: PriorityClass,
  ) -> TowerEvent.Kind {
    .sessionOpened(
      request: nil,
      session: id,
      description: SessionDescription(
        app: app,
        priorityClass: priorityClass,
        configuration: .music,
        compatibility: .init(majorVersion: 7),
      ),
    )
  }

  private func asks(
    _ number: UInt64,
    _ id: SessionID,
    _ request: SessionRequest,
  ) -> TowerEvent.Kind {
    .request(id: RequestID(rawValue: number), session: id, request: request)
  }

  @Test(
    "audio that the policy's tower has stopped, and the recorded one has not, runs after an activation"
  )
  func stillRunning() {
    let (game, phone) = (SessionID(rawValue: 1), SessionID(rawValue: 2))
    var granting = TowerConfiguration()
    granting.priorityClasses["phone"] = .phone
    // The recorded tower refuses the phone, so the game is busy and stays active; that of the policy interrupts the game,
    // which is then idle and deactivated.
    let kinds: [TowerEvent.Kind] = [
      .routeAppeared(port: Scene.speaker), opened(game, "game", .app), asks(1, game, .activate),
      .ioStarted(session: game), opened(phone, "phone", .phone), asks(2, phone, .activate),
      asks(3, game, .deactivate(notifyOthers: true)),
      .sessionClosed(session: phone, cause: .closed), asks(4, game, .activate),
    ]
    var rehearser = Rehearser(policy: Self.policy(granting), start: TowerState())
    var stopped = false
    for kind in kinds {
      _ = rehearser.take(TowerEvent(timeNanoseconds: 0, kind))
      if case .sessionClosed = kind {
        stopped = rehearser.state.session(game)?.isRunningIO == false
      }
    }
    #expect(stopped)
    #expect(rehearser.standings.map(\.phrase) == ["heard"])
  }

  /// A player that loses its headphones and is paused, in the policy alone: an alarm that only the recorded tower grants has
  /// interrupted it before.
  @Test("a player that the policy's tower alone has paused goes on when its app activates it")
  func pausedByPolicy() {
    let (game, alarm) = (SessionID(rawValue: 1), SessionID(rawValue: 2))
    var granting = TowerConfiguration()
    granting.priorityClasses["alarm"] = .alarm
    func opened(_ id: SessionID, _ app: String, isAdopted: Bool) -> TowerEvent.Kind {
      .sessionOpened(
        request: nil,
        session: id,
        description: SessionDescription(
          app: app,
          priorityClass: isAdopted ? .app : .alarm,
          isAdopted: isAdopted,
          configuration: .music,
          traits: SessionTraits(
            reactions: Reactions(interruptionEnd: .resume, unplug: .pause)
          ),
        ),
      )
    }
    func asks(_ number: UInt64, _ id: SessionID) -> TowerEvent.Kind {
      .request(id: RequestID(rawValue: number), session: id, request: .activate)
    }
    var rehearser = Rehearser(
      policy: Self.policy(TowerConfiguration()),
      start: TowerState(configuration: granting),
    )
    func take(_ kinds: [TowerEvent.Kind]) {
      for kind in kinds { _ = rehearser.take(TowerEvent(timeNanoseconds: 0, kind)) }
    }
    take([
      .routeAppeared(port: Scene.speaker), .routeAppeared(port: Scene.headphones),
      opened(game, "game", isAdopted: true), .ioStarted(session: game),
      opened(alarm, "alarm", isAdopted: false), asks(1, alarm),
      .routeVanished(uid: Scene.headphones.uid),
    ])
    #expect(rehearser.state.session(alarm) == nil)
    #expect(rehearser.state.session(game)?.isPaused == true)
    take([.sessionClosed(session: alarm, cause: .closed)])
    #expect(rehearser.state.session(game)?.isPaused == true)
    take([asks(2, game)])
    #expect(rehearser.state.session(game)?.isPaused == false)
    #expect(rehearser.standings.map(\.phrase) == ["heard"])
  }

  @Test("an activation that the policy's tower refuses starts no audio")
  func refused() {
    let (game, phone) = (SessionID(rawValue: 1), SessionID(rawValue: 2))
    var granting = TowerConfiguration()
    granting.priorityClasses["phone"] = .phone
    var rehearser = Rehearser(policy: Self.policy(granting), start: TowerState())
    for kind in [
      .routeAppeared(port: Scene.speaker), opened(game, "game", .app), asks(1, game, .activate),
      .ioStarted(session: game), opened(phone, "phone", .phone), asks(2, phone, .activate),
      asks(3, game, .deactivate(notifyOthers: true)), asks(4, game, .activate),
    ] as [TowerEvent.Kind] {
      _ = rehearser.take(TowerEvent(timeNanoseconds: 0, kind))
    }
    #expect(rehearser.state.session(game)?.isActive == false)
    #expect(rehearser.state.session(game)?.isRunningIO == false)
  }

  @Test("a session that one of two policies refuses is a difference until it ends")
  func missing() {
    func script(_ kinds: [TowerEvent.Kind]) -> RehearsalScript {
      RehearsalScript(
        start: TowerState(),
        entries: kinds.enumerated().map { Self.entry([$1], at: UInt64($0)) },
      )
    }
    var granting = TowerConfiguration()
    granting.priorityClasses["bell"] = .alarm
    let bell = SessionID(rawValue: 1)
    let description = SessionDescription(app: "bell", priorityClass: .alarm, configuration: .music)
    let log = script([
      .routeAppeared(port: Scene.speaker),
      .sessionOpened(request: nil, session: bell, description: description),
      .silentSwitchChanged(isOn: true), .sessionClosed(session: bell, cause: .closed),
    ])
    let rehearsals = [TowerConfiguration(), granting].map {
      Rehearsal(of: log, with: Self.policy($0))
    }
    for (first, second) in [(0, 1), (1, 0)] {
      let found = RehearsalComparison(rehearsals[first], rehearsals[second]).differences
      #expect(found.map(\.number) == [2, 4] && found.map(\.isOver) == [false, true])
      #expect(found.first.map { ($0.first == nil) == (first == 0) } == true)
      #expect(found.first.map { ($0.second == nil) == (second == 0) } == true)
    }
    let empty = Rehearsal(of: script([]), with: Self.policy(granting))
    #expect(empty.moments.isEmpty)
  }

  /// A player, and a prompt that a policy gives the clients of that name; the client `alone` is left alone.
  static let rules = RehearsedPolicy(configuration: TowerConfiguration()) { recorded in
    guard case .client(let name, _) = recorded.origin else { return recorded }
    if name == "alone" { return nil }
    var description = recorded
    description.configuration = name == "say" ? .prompt : .music
    description.traits.isActiveWhileSounding = name == "say"
    description.priorityClass = name == "bell" ? .alarm : .app
    return description
  }

  static func client(_ name: String, _ id: UInt32, at time: UInt64) -> RehearsalEntry {
    let session = SessionID(rawValue: id)
    let kinds: [TowerEvent.Kind] = [
      .sessionOpened(
        request: nil,
        session: session,
        description: SessionDescription(
          app: name,
          isAdopted: true,
          origin: .client(name: name, executable: nil),
        ),
      ),
      .audioLevelChanged(session: session, isSilent: true), .ioStarted(session: session),
    ]
    return entry(kinds, at: time)
  }

  static func entry(_ kinds: [TowerEvent.Kind], at time: UInt64) -> RehearsalEntry {
    let nanoseconds = time * 1_000_000_000
    return RehearsalEntry(
      events: kinds.map { TowerEvent(timeNanoseconds: nanoseconds, $0) },
      timeNanoseconds: nanoseconds,
    )
  }

  static func level(_ id: UInt32, isSilent: Bool, at time: UInt64) -> RehearsalEntry {
    entry([.audioLevelChanged(session: SessionID(rawValue: id), isSilent: isSilent)], at: time)
  }

  static let evening = RehearsalScript(
    start: TowerState(),
    entries: [
      entry([.routeAppeared(port: Scene.speaker)], at: 0), client("mpv", 1, at: 1),
      level(1, isSilent: false, at: 2), client("say", 2, at: 3), level(2, isSilent: false, at: 4),
      level(2, isSilent: true, at: 5), client("alone", 3, at: 6), client("bell", 4, at: 7),
      level(4, isSilent: false, at: 8),
      entry([.sessionClosed(session: SessionID(rawValue: 4), cause: .died)], at: 9),
    ],
  )

  @Test("adopted clients have the session that the policy gives them, and its class")
  func rehearsal() throws {
    let rehearsal = Rehearsal(of: Self.evening, with: Self.rules)
    let states = rehearsal.moments.map { moment in
      moment.changes.map { "\($0.name) \($0.after?.phrase ?? "gone")" }
    }
    #expect(
      states == [
        [], ["mpv silent: it sends silence"], ["mpv heard"],
        ["say silent: it waits for its next sound"], ["mpv lowered by say (-14 dB)", "say heard"],
        ["mpv heard", "say silent: it waits for its next sound"], ["alone left alone"],
        ["bell silent: it sends silence", "mpv interrupted by bell", "say interrupted by bell"]
          .filter { !$0.hasPrefix("say") } + ["say inactive"],
        ["bell heard"], ["bell gone", "mpv heard", "say silent: it waits for its next sound"],
      ]
    )
    #expect(rehearsal.moments[4].changes.first?.after?.rule == .act3)
    #expect(rehearsal.moments.map(\.number) == Array(1...10))
  }

  @Test(
    "moments are counted from the first one, and one that seems to be before it is at the same time"
  )
  func offsets() {
    let times: [UInt64] = [5, 5, 7, 12, 4]
    let script = RehearsalScript(
      start: TowerState(),
      entries: times.map { Self.entry([.silentSwitchChanged(isOn: true)], at: $0) },
    )
    let moments = Rehearsal(of: script, with: Self.rules).moments
    #expect(moments.map(\.offsetNanoseconds) == [0, 0, 2, 7, 0].map { $0 * 1_000_000_000 })
  }

  @Test("a comparison tells each difference once, and its end")
  func comparison() throws {
    let plain = RehearsedPolicy(configuration: TowerConfiguration()) { recorded in
      var description = recorded
      description.configuration = .mixing
      return description
    }
    let comparison = RehearsalComparison(
      Rehearsal(of: Self.evening, with: Self.rules),
      Rehearsal(of: Self.evening, with: plain),
    )
    let mpv = comparison.differences.filter { $0.name == "mpv" }
    #expect(
      mpv.map { [$0.first?.phrase, $0.second?.phrase] } == [
        ["lowered by say (-14 dB)", "heard"], ["heard", "heard"], ["interrupted by bell", "heard"],
        ["heard", "heard"],
      ]
    )
    #expect(mpv.map(\.isOver) == [false, true, false, true])
    #expect(mpv.map(\.number) == [5, 6, 8, 10])
  }
}
