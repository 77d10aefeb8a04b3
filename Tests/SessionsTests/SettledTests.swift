// SPDX-License-Identifier: MIT

import Sessions
import TestSupport
import Testing

@Suite("Settled facts")
struct SettledTests {
  private static let one = SessionID(rawValue: 1)
  private static let guest = SessionID(rawValue: 1_000)

  /// Whether an effect is about a session that comes and goes, and about nothing else.
  private static func isOfGuest(_ effect: TowerEffect) -> Bool {
    switch effect {
    case .log(let decision): decision.session == guest
    case .setRoute(let session, _): session == guest
    default: false
    }
  }

  // The guest's end has gates, ducks and hardware values derived anew, so whatever an event left unsettled would change here.
  @Test("after each event a session that comes and goes without a sound changes nothing")
  func settled() {
    var random = RandomEvents(seed: TestSeed.derived())
    for _ in 0..<150 {
      var tower = Tower(state: Checker.start)
      for event in random.sequence(count: 40) {
        _ = tower.step(event)
        var visited = tower
        let kinds: [TowerEvent.Kind] = [
          .sessionOpened(
            request: nil,
            session: Self.guest,
            description: SessionDescription(app: "guest", configuration: .mixing),
          ), .sessionClosed(session: Self.guest, cause: .closed),
        ]
        for kind in kinds {
          let effects = visited.step(TowerEvent(timeNanoseconds: event.timeNanoseconds, kind))
          if let other = effects.first(where: { !Self.isOfGuest($0) }) {
            Issue.record("\(other) after \(event.kind)")
            return
          }
        }
        if visited.state != tower.state {
          Issue.record("the state is another one after \(event.kind)")
          return
        }
      }
    }
  }

  /// A change that is heard, as an effect has it and as the log tells it.
  private enum Heard: Hashable {
    case gate(SessionID, isOpen: Bool)
    case capture(SessionID, isOpen: Bool)
    case duck(SessionID, isLow: Bool)

    init?(_ effect: TowerEffect) {
      switch effect {
      case .setGate(let id, let isOpen, _): self = .gate(id, isOpen: isOpen)
      case .setCapture(let id, let isOpen, _): self = .capture(id, isOpen: isOpen)
      case .setDuck(let id, let gainDB, _): self = .duck(id, isLow: gainDB != 0)
      default: return nil
      }
    }

    init?(logged effect: TowerEffect) {
      guard case .log(let decision) = effect, let id = decision.session else { return nil }
      switch decision.kind {
      case .gateOpened: self = .gate(id, isOpen: true)
      case .gateClosed: self = .gate(id, isOpen: false)
      case .captureOpened: self = .capture(id, isOpen: true)
      case .captureClosed: self = .capture(id, isOpen: false)
      case .ducked: self = .duck(id, isLow: true)
      case .restored: self = .duck(id, isLow: false)
      default: return nil
      }
    }

    var session: SessionID {
      switch self {
      case .gate(let id, _), .capture(let id, _), .duck(let id, _): id
      }
    }
  }

  @Test("SES-2 each change that is heard is in the log, unless its session has ended")
  func logged() {
    var random = RandomEvents(seed: TestSeed.derived())
    var kinds: Set<Heard> = []
    for _ in 0..<3_000 {
      var tower = Tower(state: Checker.start)
      for event in random.sequence(count: 40) {
        let effects = tower.step(event)
        let heard = effects.compactMap { Heard($0) }
          .filter { tower.state.session($0.session) != nil }
        #expect(Set(effects.compactMap { Heard(logged: $0) }) == Set(heard), "\(event.kind)")
        kinds.formUnion(heard)
      }
    }
    #expect(kinds.count > 20)
  }

  /// A session that plays and records, with a choice of inputs.
  private static func scene() -> Scene {
    let array = PortDescription(
      uid: "array",
      type: .usbAudio,
      direction: .input,
      dataSources: [DataSourceDescription(id: 1, name: "Back", polarPatterns: ["Cardioid"])],
    )
    var scene = Scene { $0.defaultPermission = .granted }
    scene.do(.routeAppeared(port: array))
    scene.play(1, .both)
    return scene
  }

  @Test(
    "a setting that is asked for again is granted, and changes nothing",
    arguments: [
      .setInputMuted(isMuted: true), .setOutputMuted(isMuted: true),
      .overrideOutput(port: .speaker), .setPreferredInput(portUID: "mic"),
      .chooseOutput(portUID: "speaker"),
      .setDataSource(portUID: "array", dataSource: 1, polarPattern: "Cardioid"),
    ] as [SessionRequest]
  )
  func askedAgain(request: SessionRequest) {
    var scene = Self.scene()
    #expect(scene.ask(1, request) == .done && scene.effects.count > 1)
    let state = scene.tower.state
    #expect(scene.ask(1, request) == .done && scene.effects.count == 1)
    #expect(scene.tower.state == state)
  }

  @Test(
    "what has happened already does not happen again",
    arguments: [
      .microphoneMuteChanged(isMuted: true), .audioLevelChanged(session: one, isSilent: true),
      .simulatedInterruptionBegan(class: .phone, isRinging: true),
      .simulatedInterruptionBegan(class: .phone, isRinging: false),
      .simulatedInterruptionBegan(class: .alarm, isRinging: false),
      .appBackgrounded(session: one), .silentSwitchChanged(isOn: true),
      .routeAppeared(port: Scene.usb), .serverLost,
    ] as [TowerEvent.Kind]
  )
  func toldAgain(kind: TowerEvent.Kind) {
    var scene = Self.scene()
    scene.do(kind)
    let state = scene.tower.state
    #expect(scene.do(kind) == [])
    #expect(scene.tower.state == state)
  }

  @Test("RST-1 facts of a server that runs on reset no session")
  func sameServer() {
    var scene = Self.scene()
    #expect(scene.do(.serverReset(facts: HardwareFacts(minimumBufferFrames: 32))) == [])
    #expect(scene[1]?.isActive == true)
    #expect(scene.tower.state.hardware.facts.minimumBufferFrames == 32)
  }

  @Test("HW-2 a server with other facts is asked again for what active sessions prefer")
  func preferencesAfterFacts() {
    var scene = Scene()
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 64.0 / 48_000)))
    scene.play(1)
    #expect(HWTests.set(scene.effects)?.bufferFrames == 64)
    scene.do(.serverReset(facts: HardwareFacts(minimumBufferFrames: 128)))
    #expect(HWTests.set(scene.effects)?.bufferFrames == 128)
  }

  @Test("INT-1 a muted microphone interrupts who uses it when it is muted, and nobody later")
  func mutedMicrophone() {
    var scene = Scene()
    scene.play(1, .both)
    scene.play(2, .ambience)
    scene.open(
      3,
      .make(.playAndRecord, options: [.mixWithOthers, .overrideMutedMicrophoneInterruption])
    )
    scene.play(3)
    scene.do(.microphoneMuteChanged(isMuted: true))
    #expect(scene[1]?.interruption?.interrupters == [.microphoneMute])
    #expect(scene[2]?.isActive == true && scene[3]?.isActive == true)
    #expect(scene.ask(1, .activate) == .done)
    scene.do(.microphoneMuteChanged(isMuted: true))
    #expect(scene[1]?.isActive == true)
    scene.do(.microphoneMuteChanged(isMuted: false))
    scene.do(.microphoneMuteChanged(isMuted: true))
    scene.do(.microphoneMuteChanged(isMuted: false))
    #expect(scene.notices(1).first == .interruptionEnded(shouldResume: true, heldCommands: []))
  }

  @Test("a tower begins with a server that runs, nothing muted or locked, and hardware at rest")
  func beginning() {
    let state = TowerState()
    #expect(state.isServerRunning)
    #expect(!state.isSilentSwitchOn && !state.isScreenLocked && !state.isMicrophoneMuted)
    #expect(state.hardware.reassertions == 0 && state.hardware.reassertedAtNanoseconds == 0)
    #expect(!state.hardware.isSettling && !state.hardware.hasGivenUp)
    #expect(!state.configuration.appliesPreferencesAtOnce)
  }

  @Test("SES-1 a session begins without a place in the order of activations, and the first has 1")
  func order() throws {
    var scene = Scene()
    for id in [3, 1, 2] as [UInt32] { scene.open(id, .mixing) }
    #expect(scene.tower.state.sessions.map(\.id.rawValue) == [1, 2, 3])
    for id in [1, 2, 3] as [UInt32] {
      let session = try #require(scene[id])
      #expect(session.id.rawValue == id && session.activationOrder == 0)
      #expect(!session.isRunningIO && !session.isPaused && !session.isWaitingForSound)
      #expect(!session.isInBackground && !session.isInputMuted && !session.isOutputMuted)
    }
    for (place, id) in [2, 3, 1].enumerated() {
      scene.ask(UInt32(id), .activate)
      #expect(scene[UInt32(id)]?.activationOrder == UInt64(place + 1))
    }
  }
}
