// SPDX-License-Identifier: MIT

import Sessions

/// A tower with a clock that ticks by itself, driven by one line per event.
struct Scene {
  var tower: Tower
  var time: UInt64 = 0
  var lastRequest: UInt64 = 0
  var effects: [TowerEffect] = []
  var events: [TowerEvent] = []

  static let speaker = PortDescription(uid: "speaker", type: .builtInSpeaker, direction: .output)
  static let receiver = PortDescription(
    uid: "receiver",
    type: .builtInReceiver,
    direction: .output,
    channelNames: ["mono"]
  )
  static let microphone = PortDescription(
    uid: "mic",
    type: .builtInMic,
    direction: .input,
    channelNames: ["mono"]
  )
  static let headphones = PortDescription(
    uid: "headphones",
    type: .headphones,
    direction: .output
  )
  static let usb = PortDescription(uid: "usb-out", type: .usbAudio, direction: .output)
  static let hdmi = PortDescription(uid: "hdmi", type: .HDMI, direction: .output)
  static let lineOut = PortDescription(uid: "line-out", type: .lineOut, direction: .output)

  /// A tower with speaker, receiver and microphone; music players may not use the phone's class.
  init(_ change: (inout TowerConfiguration) -> Void = { _ in }) {
    var configuration = TowerConfiguration()
    configuration.priorityClasses = ["phone": .phone, "alarm": .alarm, "assistant": .assistant]
    change(&configuration)
    tower = Tower(state: TowerState(configuration: configuration))
    for port in [Self.speaker, Self.receiver, Self.microphone] {
      self.do(.routeAppeared(port: port))
    }
  }

  @discardableResult
  mutating func `do`(_ kind: TowerEvent.Kind) -> [TowerEffect] {
    time += 1_000_000
    let event = TowerEvent(timeNanoseconds: time, kind)
    events.append(event)
    effects = tower.step(event)
    return effects
  }

  /// Opens a session; its id is the number given.
  mutating func open(
    _ id: UInt32,
    _ configuration: SessionConfiguration = SessionConfiguration(),
    app: String? = nil,
    as priorityClass: PriorityClass = .app,
    isAdopted: Bool = false,
    traits: SessionTraits = SessionTraits(),
    compatibility: Compatibility = .latest,
  ) {
    self.do(
      .sessionOpened(
        request: nil,
        session: SessionID(rawValue: id),
        description: SessionDescription(
          app: app ?? (priorityClass == .app ? "app\(id)" : priorityClass.rawValue),
          priorityClass: priorityClass,
          isAdopted: isAdopted,
          configuration: configuration,
          traits: traits,
          compatibility: compatibility,
        ),
      )
    )
  }

  /// Makes a request and returns the answer; nil while there is none.
  @discardableResult
  mutating func ask(_ id: UInt32, _ request: SessionRequest) -> Reply? {
    lastRequest += 1
    let number = RequestID(rawValue: lastRequest)
    self.do(.request(id: number, session: SessionID(rawValue: id), request: request))
    return replies[number]
  }

  /// Makes a request and returns the refusal; nil when it was granted.
  mutating func refusal(_ id: UInt32, _ request: SessionRequest) -> SessionError? {
    if case .refused(let error) = ask(id, request) { error } else { nil }
  }

  /// Activates and starts I/O.
  mutating func play(_ id: UInt32) {
    ask(id, .activate)
    let activation = effects
    self.do(.ioStarted(session: SessionID(rawValue: id)))
    effects = activation + effects
  }

  /// Opens a session, activates it and starts I/O.
  mutating func play(
    _ id: UInt32,
    _ configuration: SessionConfiguration,
    as priorityClass: PriorityClass = .app
  ) {
    open(id, configuration, as: priorityClass)
    play(id)
  }

  /// The session as the tower has it, nil when there is none.
  subscript(_ id: UInt32) -> Session? { tower.state.session(SessionID(rawValue: id)) }

  /// The session that media keys reach.
  var nowPlaying: UInt32? { tower.state.nowPlaying(atNanoseconds: time)?.rawValue }

  /// The answers among the last effects.
  var replies: [RequestID: Reply] {
    var replies: [RequestID: Reply] = [:]
    for case .reply(let request, let reply) in effects { replies[request] = reply }
    return replies
  }

  /// The notifications to a session by the last event.
  func notices(_ id: UInt32) -> [SessionNotification] {
    effects.compactMap {
      if case .notify(let session, let notification) = $0, session.rawValue == id {
        notification
      } else {
        nil
      }
    }
  }

  /// The rules of the decisions about a session in the last event.
  func rules(_ id: UInt32) -> [RuleID] {
    effects.compactMap {
      if case .log(let decision) = $0, decision.session?.rawValue == id {
        decision.rule
      } else {
        nil
      }
    }
  }

  /// Whether the gate is open, by the last effects; nil when they do not say.
  func gate(_ id: UInt32) -> Bool? {
    for case .setGate(let session, let isOpen, _) in effects where session.rawValue == id {
      return isOpen
    }
    return nil
  }

  /// The duck in the last effects, nil when there is none.
  func duck(_ id: UInt32) -> (gainDB: Double, rampMilliseconds: Double)? {
    for case .setDuck(let session, let gainDB, let ramp) in effects where session.rawValue == id {
      return (gainDB, ramp)
    }
    return nil
  }
}

extension SessionConfiguration {
  /// Non-mixable playback.
  static let music = Self.make(.playback)
  /// Mixable playback.
  static let mixing = Self.make(.playback, options: .mixWithOthers)
  /// Ducking playback.
  static let prompt = Self.make(.playback, options: .duckOthers)
  /// A podcast.
  static let spoken = Self.make(.playback, mode: .spokenAudio)
  /// A prompt that interrupts podcasts.
  static let interruptingPrompt = Self.make(
    .playback,
    options: .interruptSpokenAudioAndMixWithOthers
  )
  /// A call.
  static let call = Self.make(.playAndRecord, mode: .voiceChat)
  /// Both directions, plain.
  static let both = Self.make(.playAndRecord)
  /// Input only.
  static let recording = Self.make(.record)
  /// Sounds that always mix.
  static let ambience = Self.make(.ambient)
  /// Several outputs at once.
  static let routes = Self.make(.multiRoute)

  /// A combination the tests know to be valid.
  static func make(
    _ category: Category,
    mode: Mode = .default,
    options: CategoryOptions = []
  ) -> SessionConfiguration {
    do {
      return try SessionConfiguration(category: category, mode: mode, options: options)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
