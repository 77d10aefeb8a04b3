// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("RST: media services reset")
struct RSTTests {
  @Test("RST-1 lost: inactive, at defaults, refused; reset: notified, and activation works again")
  func lostAndReset() {
    var scene = Scene()
    scene.play(1, .prompt)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.005)))
    scene.play(2, .music)
    scene.ask(2, .setInputMuted(isMuted: true))
    scene.ask(2, .setOutputMuted(isMuted: true))
    scene.do(.permissionAnswered(app: "app1", permission: .granted))
    scene.do(.serverLost)
    for id in [UInt32(1), 2] {
      #expect(scene.notices(id) == [.mediaServicesWereLost])
      #expect(scene[id]?.configuration == SessionConfiguration())
      #expect(scene[id]?.preferences == HardwarePreferences())
      #expect(scene[id]?.isActive == false && scene[id]?.isRunningIO == false)
      #expect(scene[id]?.isPaused == false && scene[id]?.isInputMuted == false)
      #expect(scene[id]?.isOutputMuted == false)
      #expect(scene[id]?.isGateOpen == false)
    }
    #expect(scene.gate(1) == false)
    #expect(scene[2]?.duckGainDB == 0)
    #expect(scene.refusal(1, .activate)?.code == .mediaServicesFailed)
    scene.do(.routeAppeared(port: Scene.speaker))
    #expect(scene.notices(1).isEmpty)
    scene.do(.serverReset(facts: HardwareFacts()))
    #expect(scene.notices(1).contains(.mediaServicesWereReset))
    #expect(scene.tower.state.permission(of: "app1") == .granted)
    #expect(scene.ask(1, .activate) == .done)
    #expect(scene.gate(1) == true)
  }

  @Test("RST-1 an interruption ends with a loss; a call that still rings does not")
  func interruptedMeanwhile() {
    var scene = Scene()
    scene.play(1, .music)
    scene.do(.simulatedInterruptionBegan(class: .phone, isRinging: false))
    scene.do(.serverLost)
    #expect(scene[1]?.interruption == nil)
    scene.do(.serverReset(facts: HardwareFacts()))
    #expect(scene.refusal(1, .activate)?.code == .insufficientPriority)
    scene.do(.simulatedInterruptionEnded(class: .phone, shouldResume: true))
    #expect(scene.notices(1).isEmpty)
    #expect(scene.ask(1, .activate) == .done)
  }

  @Test("RST-1 the loss ends what sessions are since: those that were active or interrupted")
  func since() {
    var scene = Scene()
    scene.open(1, .mixing)
    let opened = scene.time
    scene.play(2, .music)
    scene.play(3, .music)
    scene.do(.serverLost)
    #expect(scene[1]?.changedAtNanoseconds == opened)
    #expect(scene[2]?.changedAtNanoseconds == scene.time)
    #expect(scene[3]?.changedAtNanoseconds == scene.time)
  }

  @Test("RST-1 ACT-10 a session that sounded before the server was lost sounds after it")
  func sounding() {
    var scene = Scene()
    scene.play(1, .music)
    scene.open(2, .mixing)
    scene.do(.serverLost)
    scene.do(.serverReset(facts: HardwareFacts()))
    scene.do(.routeAppeared(port: Scene.speaker))
    scene.ask(1, .setCategory(category: .playback, options: []))
    scene.play(1)
    #expect(scene.tower.state.isOtherAudioPlaying(for: SessionID(rawValue: 2)))
    #expect(scene[1]?.silentSinceNanoseconds == nil)
  }

  @Test("RST-2 adopted clients end with the server and come back with their JACK clients")
  func adopted() {
    var scene = Scene()
    scene.open(1, .music, app: "mixxx", isAdopted: true)
    scene.do(.ioStarted(session: SessionID(rawValue: 1)))
    scene.do(.serverLost)
    #expect(scene[1] == nil)
    #expect(scene.gate(1) == false)
    scene.do(.routeAppeared(port: Scene.speaker))
    scene.do(.serverReset(facts: HardwareFacts()))
    scene.open(2, .music, app: "mixxx", isAdopted: true)
    scene.do(.ioStarted(session: SessionID(rawValue: 2)))
    #expect(scene.gate(2) == true)
  }

  @Test("RST-1 ACT-10 a session that sent silence before the server was lost is not heard after it")
  func silenceOverALoss() throws {
    var scene = Scene()
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.play(1, .music)
    let id = SessionID(rawValue: 1)
    scene.do(.audioLevelChanged(session: id, isSilent: true))
    scene.play(2, .mixing)
    #expect(try ExplanationTests.why(scene, 1).level == .silent)
    scene.do(.serverLost)
    #expect(scene[1]?.silentSinceNanoseconds == scene.time)
    #expect(scene[2] != nil && scene[2]?.silentSinceNanoseconds == nil)
    scene.do(.serverReset(facts: HardwareFacts()))
    scene.do(.routeAppeared(port: Scene.headphones))
    scene.play(1)
    #expect(try ExplanationTests.why(scene, 1).level == .silent)
    scene.do(.audioLevelChanged(session: id, isSilent: false))
    #expect(try ExplanationTests.why(scene, 1).level == .full)
  }
}
