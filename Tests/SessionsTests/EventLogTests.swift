// SPDX-License-Identifier: MIT

import Foundation
import Sessions
import TestSupport
import Testing

@Suite("Event logs")
struct EventLogTests {
  @Test("SES-2 a saved log replays to identical effects and state", arguments: 1...20)
  func replay(round: Int) throws {
    var random = RandomEvents(seed: TestSeed.derived(number: round))
    let log = EventLog(start: Checker.start, events: random.sequence(count: 120))
    let text = try log.jsonLines()
    let read = try EventLog(jsonLines: text)
    #expect(read == log)
    let (effects, state) = log.replay()
    let (again, stateAgain) = read.replay()
    #expect(again == effects)
    #expect(stateAgain == state)
  }

  @Test("SES-2 a log may begin anywhere: a state in the middle is saved whole")
  func middle() throws {
    var random = RandomEvents(seed: TestSeed.derived())
    let events = random.sequence(count: 120)
    var tower = Tower(state: Checker.start)
    for event in events.prefix(60) { _ = tower.step(event) }
    let log = EventLog(start: tower.state, events: Array(events.dropFirst(60)))
    let read = try EventLog(jsonLines: try log.jsonLines())
    #expect(read.replay().state == EventLog(start: Checker.start, events: events).replay().state)
  }

  @Test("a log that begins with more activations than any host makes is refused at its first line")
  func activations() throws {
    let header = try EventLog(start: Checker.start, events: []).header()
    try EventLog(jsonLines: header + "\n").checkOrder()
    for count in ["9007199254740993", "18446744073709551615"] {
      let bad = header.replacing(#""activations":0"#, with: #""activations":\#(count)"#)
      let log = try EventLog(jsonLines: bad + "\n")
      let error = #expect(throws: EventLogError.self) { try log.checkOrder() }
      #expect(error?.line == 1 && error?.message.hasPrefix(count) == true)
    }
  }

  @Test("SES-2 a line that a crash cut off is ignored; a wrong one is named")
  func broken() throws {
    var random = RandomEvents(seed: TestSeed.derived())
    let log = EventLog(start: Checker.start, events: random.sequence(count: 3))
    let text = try log.jsonLines()
    let cut = try EventLog(jsonLines: String(text.dropLast(5)))
    #expect(cut.events == log.events.dropLast())
    let wrong = try log.header() + "\n{}\n"
    let error = #expect(throws: EventLogError.self) { try EventLog(jsonLines: wrong) }
    #expect(error?.line == 2)
    let bad = #expect(throws: EventLogError.self) { try EventLog(jsonLines: "{}\n{}\n") }
    #expect(bad?.line == 1)
    #expect(throws: EventLogError.self) { try EventLog(jsonLines: "") }
    let newer = text.replacing("\"multirouteEventLog\":3", with: "\"multirouteEventLog\":4")
    let future = #expect(throws: EventLogError.self) { try EventLog(jsonLines: newer) }
    #expect(future?.description == "line 1: format 4; allowed: 3")
  }

  @Test(
    "SES-2 a log that a host writes begins without sessions, and each event is not before the last"
  )
  func order() throws {
    func fault(_ start: TowerState, _ times: [UInt64]) -> Int? {
      let events = times.map { TowerEvent(timeNanoseconds: $0, .callAnswered) }
      do throws(EventLogError) {
        try EventLog(start: start, events: events).checkOrder()
        return nil
      } catch {
        return error.line
      }
    }
    #expect(fault(TowerState(), []) == nil && fault(TowerState(), [0, 5, 5, 7]) == nil)
    for place in 1..<6 {
      var times: [UInt64] = [10, 20, 30, 40, 50, 60]
      times[place] = times[place - 1] - 1
      // The first line is the header.
      #expect(fault(TowerState(), times) == place + 2)
    }
    var scene = Scene()
    let empty = scene.tower.state
    scene.open(1, .both, traits: SessionTraits(takesRemoteCommands: true))
    scene.play(1)
    #expect(fault(scene.tower.state, []) == 1)
    // A person may still write states that no tower leaves behind.
    scene.ask(1, .requestRecordPermission)
    let parts = ["sessions", "permissionQueue", "players"]
    for kept in parts {
      let data = try JSONEncoder().encode(scene.tower.state)
      var object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
      for part in parts where part != kept { object[part] = [Any]() }
      #expect((object[kept] as? [Any])?.isEmpty == false)
      let bad = try JSONSerialization.data(withJSONObject: object)
      #expect(try fault(JSONDecoder().decode(TowerState.self, from: bad), []) == 1, "\(kept)")
    }
    scene.do(.sessionClosed(session: SessionID(rawValue: 1), cause: .closed))
    #expect(fault(scene.tower.state, []) == nil && fault(empty, []) == nil)
  }

  @Test("ACT-2 a thousand sessions: one is heard, each is notified once")
  func thousand() {
    var scene = Scene()
    for id in UInt32(1)...1_000 { scene.play(id, .music) }
    #expect(scene.tower.state.sessions.count(where: \.isGateOpen) == 1)
    #expect(scene[1_000]?.isGateOpen == true)
    scene.do(.sessionClosed(session: SessionID(rawValue: 1_000), cause: .died))
    let ended = scene.effects.count {
      if case .notify(_, .interruptionEnded(shouldResume: true, _)) = $0 { true } else { false }
    }
    #expect(ended == 1)
  }
}
