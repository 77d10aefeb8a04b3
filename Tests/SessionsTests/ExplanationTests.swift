// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import Sessions

@Suite("Why a session sounds as it does")
struct ExplanationTests {
  static func why(_ scene: Scene, _ id: UInt32) throws -> Explanation {
    try #require(scene.tower.state.explanation(of: SessionID(rawValue: id)))
  }

  @Test("INT-1 interrupted: the interrupter, and what ends it")
  func interrupted() throws {
    var scene = Scene()
    scene.play(1, .music)
    scene.open(2, .call, as: .phone)
    scene.play(2)
    let why = try Self.why(scene, 1)
    #expect(why.level == .silent)
    #expect(
      why.sentence == "app1 is silent because it is interrupted by phone (session 2, class phone)."
    )
    #expect(why.remedy?.contains("phone deactivates or ends") == true)
    #expect(why.rule == .act4)
    #expect(why.sessions.map(\.rawValue) == [1, 2])
  }

  @Test("INT-3 an interrupter that is itself inactive is named as such")
  func waiting() throws {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(try Self.why(scene, 1).sentence.contains("which is inactive and may still resume"))
  }

  @Test("ACT-3 lowered: the ducker and the depth")
  func low() throws {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .prompt)
    let why = try Self.why(scene, 1)
    #expect(why.level == .low)
    #expect(why.sentence.contains("14.0 dB") && why.sentence.contains("app2"))
    #expect(try Self.why(scene, 2).level == .full)
    #expect(try Self.why(scene, 2).remedy == nil)
  }

  @Test("SYS-1 PRM-1 RST-1 SES-3 each cause has its sentence, its rule and a remedy")
  func causes() throws {
    var scene = Scene()
    scene.open(1, .ambience)
    #expect(try Self.why(scene, 1).rule == .act1)
    scene.play(1)
    scene.do(.silentSwitchChanged(isOn: true))
    #expect(try Self.why(scene, 1).sentence == "app1 is silent because the silent switch is on.")
    scene.do(.silentSwitchChanged(isOn: false))
    scene.ask(1, .setOutputMuted(isMuted: true))
    #expect(try Self.why(scene, 1).rule == .ses3)
    scene.open(2, .recording)
    scene.play(2)
    #expect(try Self.why(scene, 2).remedy == "Grant app2 the permission to record.")
    scene.do(.serverLost)
    #expect(try Self.why(scene, 2).rule == .rst1)
    #expect(scene.tower.state.explanation(of: SessionID(rawValue: 9)) == nil)
  }

  @Test("SES-3 a session of both directions is explained by its output")
  func bothDirections() throws {
    var scene = Scene { $0.defaultPermission = .denied }
    scene.play(1, .both)
    #expect(scene[1]?.isCaptureOpen == false)
    #expect(try Self.why(scene, 1).level == .full)
  }

  @Test("ACT-2 the status says which session interrupts which, since when and by which rule")
  func status() throws {
    var scene = Scene()
    scene.play(1, .music)
    scene.open(2, .music)
    scene.ask(2, .activate)
    let when = scene.time
    scene.play(3, .prompt)
    let status = scene.tower.state.status(atNanoseconds: scene.time)
    let entry = try #require(status.sessions.first)
    #expect(entry.interruptedBy == [.session(id: SessionID(rawValue: 2))])
    #expect(entry.interruptedSinceNanoseconds == when)
    #expect(entry.rule == .act2)
    #expect(status.sessions[1].duckedBy == SessionID(rawValue: 3))
    #expect(status.sessions[1].rule == .act3)
    #expect(status.sessions[1].isActive)
    #expect(status.sessions[2].duckedBy == nil && status.sessions[2].rule == nil)
    #expect(status.sessions.map(\.duckGainDB) == [0, -14, 0])
  }

  private static func id(_ number: UInt32) -> SessionID { SessionID(rawValue: number) }

  @Test("SES-2 a decision names each session that it is about once")
  func involved() {
    func sessions(_ kind: Decision.Kind, _ session: UInt32?) -> [UInt32] {
      Decision(rule: .act1, kind: kind, session: session.map(Self.id), app: nil)
        .sessions.map(\.rawValue)
    }
    func target(_ rate: UInt32?, _ buffer: UInt32?) -> Decision.Kind {
      var target = HardwareTarget(values: HardwareValues())
      target.sampleRateOwner = rate.map(Self.id)
      target.bufferOwner = buffer.map(Self.id)
      return .hardware(target: target)
    }
    let two = SessionID(rawValue: 2)
    #expect(sessions(.interrupted(by: .session(id: two)), 1) == [1, 2])
    #expect(sessions(.interrupted(by: .background), 1) == [1])
    #expect(sessions(.ducked(by: two), 1) == [1, 2] && sessions(.ducked(by: nil), 1) == [1])
    #expect(sessions(target(2, 3), nil) == [2, 3] && sessions(target(2, 2), nil) == [2])
    #expect(sessions(target(nil, 3), nil) == [3] && sessions(target(2, nil), 2) == [2])
    #expect(sessions(.serverLost, nil).isEmpty)
  }

  @Test("SES-3 a configuration is told with its mode and options where it has some")
  func configurations() {
    let told: [(SessionConfiguration, String)] = [
      (.music, "playback"), (.call, "playAndRecord, mode voiceChat, allowBluetoothHFP"),
      (.mixing, "playback, mixWithOthers"),
      (
        .make(.playback, mode: .spokenAudio, options: .duckOthers),
        "playback, mode spokenAudio, mixWithOthers + duckOthers"
      ),
    ]
    for (configuration, phrase) in told {
      let decision = Decision(
        rule: .ses3,
        kind: .configured(configuration: configuration),
        session: Self.id(1),
        app: "x",
      )
      #expect(decision.sentence == "session 1 (x) is now \(phrase)")
    }
  }

  @Test("SES-2 every decision and every refusal reads as a sentence with its rule")
  func sentences() {
    var random = RandomEvents(seed: TestSeed.derived())
    for _ in 0..<300 {
      var tower = Tower(state: Checker.start)
      for event in random.sequence(count: 40) {
        for case .log(let decision) in tower.step(event) {
          #expect(decision.description.hasPrefix(decision.rule.rawValue + " "))
          #expect(!decision.sentence.contains("Optional"))
        }
      }
    }
  }
}
