// SPDX-License-Identifier: MIT

import Sessions
import TestSupport
import Testing

/// Events that report a fact, and requests that set a value: the second of two equal ones changes nothing.
@Suite("Repeated events")
struct RepetitionTests {
  /// Whether an event only reports or sets something that stays so; a category that is set again is a route change, and
  /// a permission that is asked for again waits again.
  private static func isRepeatable(_ kind: TowerEvent.Kind) -> Bool {
    switch kind {
    case .silentSwitchChanged, .screenLockChanged, .microphoneMuteChanged, .audioLevelChanged,
      .ioStarted, .ioStopped, .soundEnded, .appBackgrounded, .appForegrounded, .foregroundChanged,
      .routeAppeared, .routeVanished, .routeRenamed, .simulatedInterruptionBegan,
      .simulatedInterruptionEnded, .callAnswered, .callDeclined, .traitsChanged,
      .permissionAnswered, .permissionReset, .sessionClosed, .serverLost, .serverReset,
      .configurationChanged:
      true
    case .request(_, _, let request):
      switch request {
      case .prefer, .overrideOutput, .setPreferredInput, .chooseOutput, .setInputMuted,
        .setOutputMuted, .setTakesRemoteCommands, .activate:
        true
      default: false
      }
    default: false
    }
  }

  /// The same event; a request has a number of its own.
  private static func again(_ event: TowerEvent, _ number: inout UInt64) -> TowerEvent {
    guard case .request(_, let session, let request) = event.kind else { return event }
    number += 1
    return TowerEvent(
      timeNanoseconds: event.timeNanoseconds,
      .request(id: RequestID(rawValue: number), session: session, request: request),
    )
  }

  @Test(
    "in random sequences each event settles all levels: settings that stay the same find none to change"
  )
  func settled() {
    var random = RandomEvents(seed: TestSeed.derived())
    for _ in 0..<500 {
      var tower = Tower(state: Checker.start)
      for event in random.sequence(count: 40) {
        _ = tower.step(event)
        var again = tower
        let effects = again.step(
          TowerEvent(
            timeNanoseconds: event.timeNanoseconds,
            .configurationChanged(configuration: tower.state.configuration),
          )
        )
        #expect(effects.isEmpty && again.state == tower.state, "\(event.kind): \(effects)")
        if !effects.isEmpty { return }
      }
    }
  }

  @Test("in random sequences the second of two equal events has no effect but its answer")
  func repeated() {
    var random = RandomEvents(seed: TestSeed.derived())
    var number: UInt64 = 1_000_000
    var counts: [String: Int] = [:]
    for _ in 0..<400 {
      var tower = Tower(state: Checker.start)
      for event in random.sequence(count: 40) {
        let effects = tower.step(event)
        guard Self.isRepeatable(event.kind) else { continue }
        // One that waits in the background waits twice.
        if case .request(let id, _, _) = event.kind,
          !effects.contains(where: { if case .reply(id, .done) = $0 { true } else { false } })
        {
          continue
        }
        let state = tower.state
        let more = tower.step(Self.again(event, &number)).filter {
          switch $0 {
          // An input that is reported is told, whatever was known of it.
          case .log, .reply, .notify(_, .availableInputsChanged): false
          default: true
          }
        }
        #expect(more.isEmpty, "\(event.kind): \(more)")
        #expect(tower.state == state, "\(event.kind)")
        if !more.isEmpty || tower.state != state { return }
        counts[String("\(event.kind)".prefix { $0 != "(" }), default: 0] += 1
      }
    }
    #expect(counts.count > 20 && counts.values.allSatisfy { $0 > 20 }, "\(counts)")
  }

  @Test("ACT-3 an inactive session that begins to measure is not lowered any more")
  func measuring() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .prompt)
    scene.ask(1, .deactivate(notifyOthers: false))
    #expect(scene[1]?.isActive == false && scene[1]?.duckGainDB == -14)
    scene.ask(1, .setMode(mode: .measurement))
    #expect(scene[1]?.duckGainDB == 0 && scene.duck(1)?.gainDB == 0)
  }

  @Test("ACT-3 SYS-6 new settings and new traits are heard at once")
  func changes() {
    var scene = Scene()
    scene.play(1, .music)
    scene.play(2, .prompt)
    #expect(scene[1]?.duckGainDB == -14)
    var configuration = scene.tower.state.configuration
    configuration.duckGainDB = -20
    scene.do(.configurationChanged(configuration: configuration))
    #expect(scene.duck(1)?.gainDB == -20)
    scene.do(.sessionClosed(session: SessionID(rawValue: 2), cause: .closed))
    scene.play(3, .mixing)
    #expect(scene[3]?.isGateOpen == true)
    scene.do(
      .traitsChanged(session: SessionID(rawValue: 3), traits: SessionTraits(music: .background))
    )
    #expect(scene.gate(3) == false)
  }
}
