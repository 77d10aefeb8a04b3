// SPDX-License-Identifier: MIT

import Sessions
import Testing

@Suite("HW: hardware values")
struct HWTests {
  static let facts = HardwareFacts(
    base: HardwareValues(sampleRateHz: 48_000, bufferFrames: 1_024),
    canSetSampleRate: true,
    sampleRatesHz: [44_100, 48_000, 96_000],
    minimumBufferFrames: 32,
    maximumBufferFrames: 4_096,
  )

  static func scene(
    _ facts: HardwareFacts = facts,
    _ change: (inout TowerConfiguration) -> Void = { _ in }
  ) -> Scene {
    var scene = Scene(change)
    scene.do(.serverReset(facts: facts))
    return scene
  }

  /// Two active sessions that prefer the same buffer and the same rate.
  static func twoAlike() -> Scene {
    var scene = scene()
    for id in 1...2 as ClosedRange<UInt32> {
      scene.open(id, .mixing)
      scene.ask(id, .prefer(change: .ioBuffer(seconds: 0.001)))
      scene.ask(id, .prefer(change: .sampleRate(hz: 96_000)))
      scene.ask(id, .activate)
    }
    return scene
  }

  static func set(_ effects: [TowerEffect]) -> HardwareValues? {
    for case .setHardware(let values) in effects { return values }
    return nil
  }

  @Test("HW-1 preferences take effect with the activation, those set while active with the next")
  func whenApplied() {
    var scene = Self.scene()
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.005)))
    #expect(Self.set(scene.effects) == nil)
    scene.ask(1, .activate)
    #expect(Self.set(scene.effects) == HardwareValues(sampleRateHz: 48_000, bufferFrames: 256))
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.001)))
    #expect(Self.set(scene.effects) == nil)
    scene.ask(1, .activate)
    #expect(Self.set(scene.effects)?.bufferFrames == 64)
  }

  @Test("HW-1 or at once, where the host is configured so")
  func atOnce() {
    var scene = Self.scene { $0.appliesPreferencesAtOnce = true }
    scene.play(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.001)))
    #expect(Self.set(scene.effects)?.bufferFrames == 64)
  }

  @Test("HW-1 or at once for one session, whatever the host is configured for")
  func atOnceForOne() {
    for isAtOnce in [true, false] {
      var scene = Self.scene { $0.appliesPreferencesAtOnce = !isAtOnce }
      scene.open(1, .music, traits: SessionTraits(appliesPreferencesAtOnce: isAtOnce))
      scene.play(1)
      scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.001)))
      #expect((Self.set(scene.effects) != nil) == isAtOnce)
    }
  }

  @Test("HW-1 channels and gain are checked: 1 to the route's channels, 0 to 1")
  func channels() {
    var scene = Self.scene()
    scene.play(1, .both)
    #expect(scene.ask(1, .prefer(change: .inputChannels(count: 1))) == .done)
    #expect(scene.refusal(1, .prefer(change: .inputChannels(count: 2)))?.allowed == ["1…1"])
    #expect(scene.refusal(1, .prefer(change: .outputChannels(count: 0)))?.code == .badParam)
    scene.ask(1, .prefer(change: .inputGain(linear: 3)))
    #expect(scene[1]?.preferences.inputGainLinear == 1)
    #expect(scene.effects.contains(.setInputGain(linear: 1)))
  }

  @Test("HW-2 a value that another client changes is restored, but not forever")
  func putBack() {
    var scene = Self.scene()
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.005)))
    scene.ask(1, .activate)
    let foreign = HardwareValues(sampleRateHz: 48_000, bufferFrames: 2_048)
    for _ in 0..<3 {
      scene.do(.hardwareChanged(values: foreign, byOthers: true))
      #expect(Self.set(scene.effects)?.bufferFrames == 256)
    }
    scene.do(.hardwareChanged(values: foreign, byOthers: true))
    #expect(Self.set(scene.effects) == nil)
    let report = scene.tower.state.hardwareReport(of: SessionID(rawValue: 1))
    #expect(report?.ioBufferSeconds.difference == .changedByOthers)
  }

  @Test("HW-2 a value that stands as it is preferred is restored as often as any other")
  func alreadyThere() throws {
    var scene = Scene { $0.reassertLimit = 1 }
    let facts = HardwareFacts()
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: facts.base.ioBufferSeconds)))
    scene.play(1)
    #expect(scene.tower.state.hardware.requested == nil)
    var other = scene.tower.state.hardware.actual
    other.bufferFrames *= 2
    for isRestored in [true, false] {
      scene.do(.hardwareChanged(values: other, byOthers: true))
      let restores = scene.effects.contains { if case .setHardware = $0 { true } else { false } }
      #expect(restores == isRestored)
    }
    // It has been given up, and nobody is told again.
    scene.do(.hardwareChanged(values: other, byOthers: true))
    #expect(scene.effects.isEmpty)
  }

  @Test("HW-2 after the window the count starts again")
  func putBackLater() {
    var scene = Self.scene { $0.reassertLimit = 1 }
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.005)))
    scene.ask(1, .activate)
    let foreign = HardwareValues(sampleRateHz: 48_000, bufferFrames: 2_048)
    for _ in 0..<3 {
      scene.time += 20_000_000_000
      scene.do(.hardwareChanged(values: foreign, byOthers: true))
      #expect(Self.set(scene.effects)?.bufferFrames == 256)
    }
  }

  @Test("HW-2 without a preference others may set a value, and it stays when a preference ends")
  func others() {
    var scene = Self.scene()
    let foreign = HardwareValues(sampleRateHz: 48_000, bufferFrames: 512)
    scene.do(.hardwareChanged(values: foreign, byOthers: true))
    #expect(Self.set(scene.effects) == nil)
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.001)))
    scene.ask(1, .activate)
    scene.do(.hardwareChanged(values: HardwareValues(bufferFrames: 64), byOthers: false))
    scene.ask(1, .deactivate(notifyOthers: false))
    #expect(Self.set(scene.effects) == foreign)
  }

  @Test(
    "HW-3 what an active session prefers anew waits for its next activation, whoever decides now"
  )
  func preferredAnew() throws {
    var scene = Self.twoAlike()
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.02)))
    scene.ask(1, .prefer(change: .sampleRate(hz: 44_100)))
    let report = try #require(scene.tower.state.hardwareReport(of: SessionID(rawValue: 1)))
    #expect(report.ioBufferSeconds.difference == .atNextActivation)
    #expect(report.sampleRateHz.difference == .atNextActivation)
  }

  @Test("HW-3 actual next to preferred, with the reason for every difference")
  func report() throws {
    var scene = Self.scene(HardwareFacts(base: HardwareValues(), minimumBufferFrames: 64))
    let state = { (scene: Scene, id: UInt32) in
      try #require(scene.tower.state.hardwareReport(of: SessionID(rawValue: id)))
    }
    scene.open(1, .mixing)
    scene.ask(1, .prefer(change: .sampleRate(hz: 96_000)))
    scene.ask(1, .prefer(change: .ioBuffer(seconds: 0.005)))
    #expect(try state(scene, 1).ioBufferSeconds.difference == .atNextActivation)
    #expect(try !state(scene, 1).isCurrent)
    scene.ask(1, .activate)
    #expect(try state(scene, 1).sampleRateHz.difference == .serverNotOwned)
    #expect(try state(scene, 1).ioBufferSeconds.difference == .pending)
    scene.do(.hardwareChanged(values: HardwareValues(bufferFrames: 256), byOthers: false))
    let report = try state(scene, 1)
    #expect(report.ioBufferSeconds.preferred == 0.005)
    #expect(report.ioBufferSeconds.actual == 256.0 / 48_000)
    #expect(report.ioBufferSeconds.difference == .notSupported)
    scene.open(2, .mixing)
    scene.ask(2, .prefer(change: .ioBuffer(seconds: 0.001)))
    scene.ask(2, .activate)
    #expect(
      try state(scene, 1).ioBufferSeconds.difference
        == .decidedBy(session: SessionID(rawValue: 2))
    )
  }

  static func claim(
    _ id: UInt32,
    _ priorityClass: PriorityClass = .app,
    mixes: Bool = false,
    rate: Double? = nil,
    buffer: Double? = nil
  ) throws -> HardwareArbiter.Claim {
    HardwareArbiter.Claim(
      session: SessionID(rawValue: id),
      priorityClass: priorityClass,
      isMixable: mixes,
      activationOrder: UInt64(id),
      preferences: try HardwarePreferences(sampleRateHz: rate, ioBufferSeconds: buffer),
    )
  }

  @Test("HW-2 RTE-2 another rate is the same route in another configuration, and no loss")
  func newRate() throws {
    var scene = Self.scene()
    scene.open(1, .music)
    scene.ask(1, .prefer(change: .sampleRate(hz: 44_100)))
    scene.ask(1, .activate)
    let state = { (scene: Scene) in
      try #require(scene.tower.state.hardwareReport(of: SessionID(rawValue: 1)))
    }
    #expect(try state(scene).sampleRateHz.difference == .pending)
    let wanted = try #require(Self.set(scene.effects))
    scene.do(.hardwareChanged(values: wanted, byOthers: false))
    #expect(try state(scene).sampleRateHz.difference == nil)
    let route = scene.tower.state.sessions[0].route
    #expect(
      scene.effects.contains(
        .notify(
          session: SessionID(rawValue: 1),
          notification: .routeChanged(
            reason: .routeConfigurationChange,
            previous: route,
            current: route,
          ),
        )
      )
    )
    #expect(scene.tower.state.sessions[0].isActive)

    // A driver that refuses keeps the old value; that is an answer too.
    scene.ask(1, .prefer(change: .sampleRate(hz: 96_000)))
    scene.ask(1, .activate)
    scene.do(.hardwareChanged(values: wanted, byOthers: false))
    #expect(try state(scene).sampleRateHz.difference == .notSupported)
  }

  @Test("HW-4 the smallest buffer of all active sessions wins")
  func smallestBuffer() throws {
    let claims = [
      try Self.claim(1, buffer: 0.02), try Self.claim(2, mixes: true, buffer: 0.0027),
      try Self.claim(3, .phone, buffer: 0.01),
    ]
    let target = HardwareArbiter.decide(claims, facts: Self.facts, actual: Self.facts.base)
    #expect(target?.values.bufferFrames == 128)
    #expect(target?.bufferOwner == SessionID(rawValue: 2))
    #expect(target?.sampleRateOwner == nil)
  }

  @Test("HW-4 the rate: highest class, then the last non-mixable activated")
  func rate() throws {
    let app = try [
      Self.claim(1, rate: 96_000), Self.claim(2, rate: 44_100),
      Self.claim(3, mixes: true, rate: 96_000), Self.claim(4, buffer: 0.01),
    ]
    let among = HardwareArbiter.decide(app, facts: Self.facts, actual: Self.facts.base)
    #expect(among?.values.sampleRateHz == 44_100)
    #expect(among?.sampleRateOwner == SessionID(rawValue: 2))
    let phone = try app + [Self.claim(0, .phone, mixes: true, rate: 16_000)]
    let over = HardwareArbiter.decide(phone, facts: Self.facts, actual: Self.facts.base)
    #expect(over?.sampleRateOwner == SessionID(rawValue: 0))
    #expect(over?.values.sampleRateHz == 44_100)
    #expect(HardwareArbiter.decide([], facts: Self.facts, actual: Self.facts.base) == nil)
  }

  @Test("HW-4 when the smallest leaves, the next smallest holds, then what the server began with")
  func leaving() {
    var scene = Self.scene()
    for (id, seconds) in [(UInt32(1), 0.01), (2, 0.0027)] {
      scene.open(id, .mixing)
      scene.ask(id, .prefer(change: .ioBuffer(seconds: seconds)))
      scene.ask(id, .activate)
    }
    #expect(Self.set(scene.effects)?.bufferFrames == 128)
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .died))
    #expect(Self.set(scene.effects)?.bufferFrames == 512)
    scene.do(.sessionClosed(session: SessionID(rawValue: 1), cause: .died))
    #expect(Self.set(scene.effects)?.bufferFrames == 1_024)
  }

  @Test(
    "HW-5 durations become the nearest power of two within the server's range",
    arguments: [
      (0.02, 44_100, 1_024), (0.005, 44_100, 256), (0.005, 48_000, 256), (0.00133, 48_000, 64),
      (0.0000001, 48_000, 32), (0.5, 48_000, 4_096), (1e300, 48_000, 4_096),
    ]
  )
  func frames(seconds: Double, rate: Double, frames: Int) {
    #expect(
      HardwareArbiter.bufferFrames(seconds: seconds, sampleRateHz: rate, facts: Self.facts)
        == frames
    )
  }

  @Test("HW-6 ioBufferDuration is frames / rate exactly")
  func duration() {
    #expect(
      HardwareValues(sampleRateHz: 44_100, bufferFrames: 1_024).ioBufferSeconds == 1_024.0
        / 44_100.0
    )
  }

  @Test("HW-7 values are current only while active")
  func current() {
    var scene = Self.scene()
    scene.open(1, .music)
    let isCurrent = { (scene: Scene) in
      scene.tower.state.hardwareReport(of: SessionID(rawValue: 1))?.isCurrent
    }
    #expect(isCurrent(scene) == false)
    scene.ask(1, .activate)
    #expect(isCurrent(scene) == true)
    scene.do(.serverLost)
    #expect(isCurrent(scene) == false)
  }
}
