// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("ACT-9: adopted prompts")
struct PromptTests {
  private static let prompt = SessionID(rawValue: 2)

  /// Music, and an adopted navigation that is connected.
  private func scene() -> Scene {
    var scene = Scene()
    scene.play(1, .music)
    var traits = SessionTraits()
    Preset.navigation.describe(&traits)
    scene.open(2, .prompt, isAdopted: true, traits: traits)
    scene.do(.ioStarted(session: Self.prompt))
    return scene
  }

  @Test("ACT-9 a prompt that is connected and silent lowers nobody, and its first sound is heard")
  func connected() {
    let scene = scene()
    #expect(scene[2]?.isActive == false)
    #expect(scene[2]?.isWaitingForSound == true)
    #expect(scene[2]?.isGateOpen == true)
    #expect(scene[2]?.isSounding == false)
    #expect(scene[1]?.duckGainDB == 0)
    #expect(scene.effects.contains(.listen(session: Self.prompt, isOn: true)))
  }

  @Test("ACT-9 its sound takes hold and its silence lets go, time after time")
  func rounds() {
    var scene = scene()
    for _ in 1...3 {
      scene.do(.soundBegan(session: Self.prompt))
      #expect(scene.duck(1)?.gainDB == -14)
      #expect(scene.rules(2).contains(.act9))
      #expect(scene.effects.contains(.listen(session: Self.prompt, isOn: false)))
      scene.do(.soundEnded(session: Self.prompt))
      #expect(scene.duck(1)?.gainDB == 0)
      #expect(scene[2]?.isGateOpen == true)
      #expect(scene.effects.contains(.listen(session: Self.prompt, isOn: true)))
    }
    scene.do(.ioStopped(session: Self.prompt))
    #expect(scene[2]?.isGateOpen == false)
    #expect(scene.effects.contains(.listen(session: Self.prompt, isOn: false)))
  }

  @Test(
    "ACT-9 a call silences it, and its next sound after the call takes hold",
    arguments: [true, false],
  )
  func interrupted(isSpeaking: Bool) {
    var scene = scene()
    if isSpeaking { scene.do(.soundBegan(session: Self.prompt)) }
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    #expect(scene[2]?.isGateOpen == false)
    #expect(scene[2]?.isWaitingForSound == false)
    scene.do(.soundBegan(session: Self.prompt))
    #expect(scene[2]?.isActive == false)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene[2]?.isWaitingForSound == true)
    scene.do(.soundBegan(session: Self.prompt))
    #expect(scene[2]?.isActive == true)
    #expect(scene[2]?.isGateOpen == true)
  }

  @Test("ACT-9 a change of its category while it waits counts at once")
  func reconfigured() {
    var scene = scene()
    scene.ask(2, .setCategory(category: .record, options: []))
    #expect(scene[2]?.isGateOpen == false)
    scene.ask(2, .setCategory(category: .playback, options: .duckOthers))
    #expect(scene[2]?.isGateOpen == true)
    scene.do(.soundBegan(session: Self.prompt))
    #expect(scene[1]?.duckGainDB == -14)
  }

  @Test("ACT-9 sound and silence mean nothing to other sessions")
  func others() {
    var scene = scene()
    scene.do(.soundEnded(session: SessionID(rawValue: 1)))
    #expect(scene[1]?.isActive == true)
    scene.open(3, .prompt, isAdopted: true)
    scene.do(.soundBegan(session: SessionID(rawValue: 3)))
    #expect(scene[3]?.isActive == false)
  }

  @Test("ACT-9 why says that it waits for its next sound")
  func why() throws {
    let why = try ExplanationTests.why(scene(), 2)
    #expect(why.rule == .act9)
    #expect(why.sentence.contains("next sound"))
  }
}
