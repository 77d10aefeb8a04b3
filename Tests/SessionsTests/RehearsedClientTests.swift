// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("Rehearsals of adopted clients")
struct RehearsedClientTests {
  fileprivate static func id(_ number: UInt32) -> SessionID { SessionID(rawValue: number) }

  /// Runs events against a policy, all at one time.
  private struct Stage {
    var rehearser: Rehearser

    init(_ policy: RehearsedPolicy, recorded: TowerConfiguration = TowerConfiguration()) {
      rehearser = Rehearser(policy: policy, start: TowerState(configuration: recorded))
      take(.routeAppeared(port: Scene.speaker))
    }

    @discardableResult
    mutating func take(_ kind: TowerEvent.Kind) -> [Decision] {
      rehearser.take(TowerEvent(timeNanoseconds: 0, kind))
    }

    /// A client appears, and its audio runs.
    mutating func start(
      _ number: UInt32,
      _ name: String,
      _ configuration: SessionConfiguration = .mixing,
      traits: SessionTraits = SessionTraits(),
    ) {
      take(
        .sessionOpened(
          request: nil,
          session: RehearsedClientTests.id(number),
          description: SessionDescription(
            app: name,
            isAdopted: true,
            configuration: configuration,
            traits: traits,
            origin: .client(name: name, executable: nil),
          ),
        )
      )
      take(.ioStarted(session: RehearsedClientTests.id(number)))
    }

    /// How each session is heard, by name.
    var phrases: [String: String] {
      Dictionary(uniqueKeysWithValues: rehearser.standings.map { ($0.name, $0.phrase) })
    }

    func permission(of app: String) -> RecordPermission {
      rehearser.state.permission(of: app)
    }
  }

  private static func policy(
    _ change: (inout TowerConfiguration) -> Void = { _ in }
  ) -> RehearsedPolicy {
    var configuration = TowerConfiguration()
    change(&configuration)
    return RehearsedPolicy(configuration: configuration) { $0 }
  }

  @Test("PRM-1 a user's answer counts with every policy, and what a graph gives with its own alone")
  func permissions() {
    var recorded = TowerConfiguration()
    recorded.permissions = ["mpv": .denied]
    let granting = Self.policy { $0.permissions = ["mpv": .granted] }
    var stage = Stage(granting, recorded: recorded)
    stage.start(1, "mpv")
    #expect(stage.permission(of: "mpv") == .granted)

    let denying = Self.policy { $0.permissions = ["mpv": .denied] }
    stage = Stage(denying)
    stage.start(1, "mpv")
    #expect(stage.permission(of: "mpv") == .denied)
    // The user has granted it meanwhile.
    recorded.permissions = ["mpv": .granted]
    stage.take(.configurationChanged(configuration: recorded))
    #expect(stage.permission(of: "mpv") == .granted)
    recorded.permissions = [:]
    stage.take(.configurationChanged(configuration: recorded))
    #expect(stage.permission(of: "mpv") == .denied)
  }

  @Test("each session has a name of its own, and one that has ended gives its name back")
  func names() {
    var stage = Stage(RehearsalTests.rules)
    func names() -> [String] { stage.rehearser.standings.map(\.name) }
    for number in 1...3 as ClosedRange<UInt32> { stage.start(number, "mpv") }
    for number in 4...5 as ClosedRange<UInt32> { stage.start(number, "alone") }
    #expect(names() == ["alone", "alone-2", "mpv", "mpv-2", "mpv-3"])
    stage.take(.sessionClosed(session: Self.id(1), cause: .died))
    stage.take(.sessionClosed(session: Self.id(4), cause: .died))
    #expect(names() == ["alone-2", "mpv-2", "mpv-3"])
    stage.start(6, "mpv")
    stage.start(7, "alone")
    #expect(names() == ["alone", "alone-2", "mpv", "mpv-2", "mpv-3"])
    #expect(stage.rehearser.name(of: Self.id(6)) == "mpv")
  }

  @Test("ACT-9 a prompt that was recorded as one lets go when it did, and not with its level")
  func recordedPrompt() {
    var stage = Stage(Self.policy())
    stage.start(1, "say", .prompt, traits: SessionTraits(isActiveWhileSounding: true))
    stage.start(2, "mpv", .mixing)
    for (kind, isActive) in [
      (.audioLevelChanged(session: Self.id(1), isSilent: false), false),
      (.soundBegan(session: Self.id(1)), true),
      (.audioLevelChanged(session: Self.id(1), isSilent: true), true),
      (.audioLevelChanged(session: Self.id(1), isSilent: false), true),
      (.soundEnded(session: Self.id(1)), false),
    ] as [(TowerEvent.Kind, Bool)] {
      stage.take(kind)
      #expect(stage.rehearser.state.session(Self.id(1))?.isActive == isActive, "\(kind)")
    }
  }

  @Test("VOL-3 an activation of a player that is active already does not give it the media keys")
  func keys() {
    var stage = Stage(Self.policy())
    let traits = SessionTraits(takesRemoteCommands: true)
    stage.start(1, "mpv", traits: traits)
    stage.start(2, "vlc", traits: traits)
    stage.take(.request(id: RequestID(rawValue: 1), session: Self.id(1), request: .activate))
    #expect(stage.rehearser.state.nowPlaying(atNanoseconds: 0) == Self.id(2))
  }

  @Test("ACT-3 the depth of a duck is told as it is, and only who is lowered has a ducker")
  func depths() {
    for (gainDB, text) in [
      (-14, "-14"), (-13.5, "-13.5"), (-0.5, "-0.5"), (-999, "-999"), (-.infinity, "-inf"),
    ] as [(Double, String)] {
      var stage = Stage(Self.policy { $0.duckGainDB = gainDB })
      stage.start(1, "mpv")
      stage.start(2, "say", .prompt)
      #expect(stage.phrases == ["mpv": "lowered by say (\(text) dB)", "say": "heard"])
      #expect(stage.rehearser.standings.map(\.duckedBy) == ["say", nil])
    }
  }

  @Test("a session of both directions is heard by its output, and one without output by its input")
  func directions() {
    var stage = Stage(Self.policy { $0.defaultPermission = .denied })
    stage.take(.routeAppeared(port: Scene.microphone))
    stage.start(1, "talk", .make(.playAndRecord, options: .mixWithOthers))
    #expect(stage.phrases == ["talk": "heard"])
    stage.take(.sessionClosed(session: Self.id(1), cause: .closed))
    stage.start(2, "tape", .recording)
    #expect(stage.phrases == ["tape": "silent: it has no permission to record"])
  }

  @Test("VOL-2 a media key is told by its name, without its time")
  func mediaKeys() {
    let keys: [(RemoteCommand, UInt32?, String)] = [
      (.play, nil, "media key play"), (.seek(seconds: 3), nil, "media key seek"),
      (.rate(factor: 2), 1, "media key rate for mpv"),
    ]
    let entries = keys.map { command, id, _ in
      RehearsalTests.entry([.remoteCommand(command: command, session: id.map(Self.id))], at: 2)
    }
    let script = RehearsalScript(
      start: TowerState(),
      entries: [RehearsalTests.client("mpv", 1, at: 1)] + entries,
    )
    let moments = Rehearsal(of: script, with: RehearsalTests.rules).moments
    #expect(moments.dropFirst().map(\.event) == keys.map(\.2))
  }

  @Test("a moment is told with the name that a session has at its event")
  func moments() {
    let moments = Rehearsal(of: RehearsalTests.evening, with: RehearsalTests.rules).moments
    #expect(moments[1].event == "mpv appears")
    #expect(moments[2].event == "mpv sounds")
    #expect(moments[9].event == "bell ends (died)")
  }
}
