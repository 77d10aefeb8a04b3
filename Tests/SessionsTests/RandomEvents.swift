// SPDX-License-Identifier: MIT

import Sessions
import TestSupport

/// Makes random sequences of events over a handful of sessions, ports and programs.
struct RandomEvents {
  static let configurations: [SessionConfiguration] = [
    .music, .music, SessionConfiguration(), .mixing, .prompt, .spoken, .interruptingPrompt, .call,
    .both, .recording, .ambience, .routes,
  ]
  static let classes: [(app: String, priorityClass: PriorityClass)] = [
    ("music", .app), ("radio", .app), ("game", .app), ("radio", .app), ("music", .phone),
    ("phone", .phone), ("alarm", .alarm), ("assistant", .assistant),
  ]
  static let compatibilities: [Compatibility] = [.latest, .latest, .ios17, .init(majorVersion: 7)]
  static let commands: [RemoteCommand] = [.play, .pause, .toggle, .stop, .next]
  static let ports = [Scene.headphones, Scene.usb, Scene.speaker, Scene.microphone, Scene.hdmi]
  static let permissions: [RecordPermission] = [.granted, .denied, .undetermined]
  static let simulated: [PriorityClass] = [.phone, .phone, .alarm, .assistant, .app]
  static let traits: [SessionTraits] = [
    SessionTraits(),
    SessionTraits(takesRemoteCommands: true),
    SessionTraits(reactions: Reactions(interruptionEnd: .resume, unplug: .pause)),
    SessionTraits(takesRemoteCommands: true, registersWhilePlaying: true),
    SessionTraits(isActiveWhileSounding: true),
    SessionTraits(hasBackgroundAudio: false),
    SessionTraits(suspendsInBackground: true),
    SessionTraits(prefersInterruptionOnRouteDisconnect: true),
    SessionTraits(takesRemoteCommands: true, music: .background),
    SessionTraits(
      prefersNoInterruptionsFromSystemAlerts: true,
      reactions: Reactions(interruptionEnd: .stayInactive, unplug: .ignore),
    ),
  ]
  static let options: [CategoryOptions] = [
    [], [], .mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers, .defaultToSpeaker,
    .allowBluetoothHFP, CategoryOptions(rawValue: 0x200),
  ]

  var dice: Dice
  private var nextSession: UInt32 = 0
  private var nextRequest: UInt64 = 0
  private var time: UInt64 = 0

  init(seed: UInt64) {
    dice = Dice(seed: seed)
  }

  /// A sequence that starts with the ports of every machine.
  mutating func sequence(count: Int) -> [TowerEvent] {
    nextSession = 0
    nextRequest = 0
    time = 0
    var events: [TowerEvent] = []
    events.reserveCapacity(count + 4)
    events.append(stamp(.routeAppeared(port: Scene.speaker)))
    events.append(stamp(.routeAppeared(port: Scene.microphone)))
    events.append(stamp(opening()))
    events.append(stamp(opening()))
    for _ in 0..<count { events.append(stamp(kind())) }
    return events
  }

  private mutating func stamp(_ kind: TowerEvent.Kind) -> TowerEvent {
    time += UInt64(dice.roll(5)) * 1_000_000_000
    return TowerEvent(timeNanoseconds: time, kind)
  }

  private mutating func session() -> SessionID {
    // Sometimes a session that does not exist.
    SessionID(rawValue: UInt32(dice.roll(Int(nextSession) + (dice.once(in: 20) ? 1 : 0))))
  }

  private mutating func opening() -> TowerEvent.Kind {
    let (app, priorityClass) = dice.pick(Self.classes)
    var request: RequestID?
    if dice.once(in: 2) {
      request = RequestID(rawValue: nextRequest)
      nextRequest += 1
    }
    defer { nextSession += 1 }
    return .sessionOpened(
      request: request,
      session: SessionID(rawValue: nextSession),
      description: SessionDescription(
        app: app,
        priorityClass: priorityClass,
        isAdopted: dice.once(in: 3),
        configuration: dice.pick(Self.configurations),
        traits: dice.pick(Self.traits),
        compatibility: dice.pick(Self.compatibilities),
      ),
    )
  }

  private mutating func request() -> SessionRequest {
    switch dice.roll(21) {
    case 0..<8: .activate
    case 8..<11: .deactivate(notifyOthers: dice.once(in: 2))
    case 11: .setCategory(category: dice.pick(Category.allCases), options: dice.pick(Self.options))
    case 12: .setMode(mode: dice.pick(Mode.allCases))
    case 13:
      .configure(
        category: dice.pick(Category.allCases),
        mode: dice.pick(Mode.allCases),
        policy: dice.once(in: 8) ? .longFormAudio : .default,
        options: dice.pick(Self.options),
      )
    case 14: .prefer(change: .ioBuffer(seconds: Double(1 + dice.roll(20)) / 1_000))
    case 15: .requestRecordPermission
    case 16: .overrideOutput(port: dice.once(in: 2) ? .speaker : .none)
    case 17: .setOutputMuted(isMuted: dice.once(in: 2))
    case 18: .setInputMuted(isMuted: dice.once(in: 2))
    case 19:
      .chooseOutput(
        portUID: dice.once(in: 3) ? nil : dice.pick(["speaker", "headphones", "usb-out"])
      )
    default: .setTakesRemoteCommands(isOn: dice.once(in: 2))
    }
  }

  private mutating func kind() -> TowerEvent.Kind {
    switch dice.roll(42) {
    case 40:
      return dice.once(in: 3)
        ? .audioLevelChanged(session: session(), isSilent: dice.once(in: 2))
        : .soundEnded(session: session())
    case 41: return .soundBegan(session: session())
    case 0..<4: return nextSession < 6 ? opening() : .ioStarted(session: session())
    case 4..<18:
      nextRequest += 1
      return .request(
        id: RequestID(rawValue: nextRequest - 1),
        session: session(),
        request: request()
      )
    case 18..<21: return .ioStarted(session: session())
    case 21: return .ioStopped(session: session())
    case 22..<24:
      return .sessionClosed(session: session(), cause: dice.once(in: 2) ? .died : .closed)
    case 24..<26:
      return .simulatedInterruptionBegan(
        class: dice.pick(Self.simulated),
        isRinging: dice.once(in: 3)
      )
    case 26..<28:
      if dice.once(in: 4) { return dice.once(in: 2) ? .callAnswered : .callDeclined }
      return .simulatedInterruptionEnded(
        class: dice.pick(Self.simulated),
        shouldResume: dice.once(in: 2)
      )
    case 28:
      if dice.once(in: 3) {
        return .foregroundChanged(app: dice.once(in: 2) ? dice.pick(Self.classes).app : nil)
      }
      return .appBackgrounded(session: session())
    case 29: return .appForegrounded(session: session())
    case 30: return .silentSwitchChanged(isOn: dice.once(in: 2))
    case 31: return .screenLockChanged(isLocked: dice.once(in: 2))
    case 32: return .microphoneMuteChanged(isMuted: dice.once(in: 2))
    case 33: return .routeAppeared(port: dice.pick(Self.ports))
    case 34:
      let uid = dice.pick(Self.ports).uid
      return dice.once(in: 4)
        ? .routeRenamed(uid: uid, port: dice.pick(Self.ports)) : .routeVanished(uid: uid)
    case 35:
      if dice.once(in: 4) { return .permissionReset(app: dice.pick(Self.classes).app) }
      return .permissionAnswered(
        app: dice.pick(Self.classes).app,
        permission: dice.pick(Self.permissions)
      )
    case 36:
      return .remoteCommand(
        command: dice.pick(Self.commands),
        session: dice.once(in: 2) ? session() : nil
      )
    case 37:
      return dice.once(in: 3)
        ? .serverLost : .traitsChanged(session: session(), traits: dice.pick(Self.traits))
    case 38:
      return dice.once(in: 2)
        ? .serverReset(facts: HardwareFacts()) : .playerResumed(session: session())
    default:
      return .hardwareChanged(
        values: HardwareValues(bufferFrames: 64 << dice.roll(4)),
        byOthers: dice.once(in: 2)
      )
    }
  }
}

/// Random numbers that are the same for the same seed.
struct Dice {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// A number in 0..<`bound`.
  mutating func roll(_ bound: Int) -> Int { Int(random.next() >> 33) % bound }

  /// True once in `bound` times.
  mutating func once(in bound: Int) -> Bool { roll(bound) == 0 }

  /// One of a list.
  mutating func pick<Element>(_ list: [Element]) -> Element { list[roll(list.count)] }
}
