// SPDX-License-Identifier: MIT

import Sessions
import Testing

@testable import GraphFiles

@Suite("Written events")
struct EventScriptTests {
  static func faults(_ text: String) -> [String] {
    do {
      _ = try EventScript.parse(text, path: "e.yaml")
      return []
    } catch {
      return error.diagnostics.map(\.description)
    }
  }

  @Test("are read with their times")
  func reading() throws {
    let script = try EventScript.parse(
      """
      multiroute: 1
      events:
        - {at: 0 s, client: mpv, executable: /usr/bin/mpv}
        - {at: 1.5 s, open: radio, preset: player, class: alarm}
        - {at: 2 s, deactivate: radio, notifyOthers: false}
        - {at: 2 s, interruption: end, class: alarm, shouldResume: false}
        - {at: 3 s, call: ring}
        - {at: 4 s, press: pause, app: radio}
        - {at: 5 s, foreground: all}
        - {at: 6 s, close: mpv}
        - {at: 7 s, client: mpv}
      """,
      path: "e.yaml",
    )
    let actions = script.events.map(\.action)
    #expect(actions.count == 9)
    #expect(actions[0] == .client(name: "mpv", executable: "/usr/bin/mpv"))
    #expect(actions[2] == .session(name: "radio", .deactivate(notifiesOthers: false)))
    #expect(actions[3] == .interruptionEnds(.alarm, shouldResume: false))
    #expect(actions[5] == .press(.pause, app: "radio"))
    #expect(actions[6] == .allInForeground)
    guard case .open("radio", let session) = actions[1] else {
      Issue.record("\(actions[1])")
      return
    }
    #expect(session.preset == .player)
    #expect(session.priorityClass == .alarm)
    #expect(script.events.map(\.timeNanoseconds).prefix(3) == [0, 1_500_000_000, 2_000_000_000])
    #expect(script.events[1].line == 4)
  }

  @Test("an interruption is the phone's, and its end and that of a call may resume, unless written")
  func defaults() throws {
    let script = try EventScript.parse(
      """
      multiroute: 1
      events:
        - {at: 1 s, interruption: begin}
        - {at: 2 s, interruption: end}
        - {at: 3 s, call: ring}
        - {at: 4 s, call: ring, shouldResume: false}
      """,
      path: "e.yaml",
    )
    #expect(
      script.events.map(\.action) == [
        .interruptionBegins(.phone), .interruptionEnds(.phone, shouldResume: true),
        .call(.ring, shouldResume: true), .call(.ring, shouldResume: false),
      ]
    )
  }

  @Test("each event is what is written, and a deactivation notifies others unless written")
  func actions() throws {
    let cases: [(String, EventScript.Action)] = [
      ("play: a", .session(name: "a", .play)), ("stop: a", .session(name: "a", .stop)),
      ("activate: a", .session(name: "a", .activate)),
      ("deactivate: a", .session(name: "a", .deactivate(notifiesOthers: true))),
      ("deactivate: a, notifyOthers: true", .session(name: "a", .deactivate(notifiesOthers: true))),
      ("background: a", .session(name: "a", .background)),
      ("foreground: a", .session(name: "a", .foreground)),
      ("requestPermission: a", .session(name: "a", .requestPermission)),
      ("silentSwitch: true", .silentSwitch(isOn: true)),
      ("silentSwitch: false", .silentSwitch(isOn: false)), ("lock: true", .lock(isOn: true)),
      ("microphoneMute: true", .microphoneMute(isOn: true)),
      ("plug: main", .plug(route: "main", isPlugged: true)),
      ("unplug: main", .plug(route: "main", isPlugged: false)),
      ("press: next", .press(.next, app: nil)),
      ("permission: granted, app: b", .permission(app: "b", .granted)),
      ("server: lost", .server(isThere: false)), ("server: back", .server(isThere: true)),
    ]
    for (text, action) in cases {
      let script = try EventScript.parse(
        "multiroute: 1\nevents: [{at: 0 s, client: a}, {at: 168 h, \(text)}]\n",
        path: "e.yaml",
      )
      #expect(script.events.last?.action == action, "\(text)")
    }
    let faults = Self.faults("multiroute: 1\nevents: [{at: 169 h, call: ring}]\n")
    #expect(faults.count == 1 && faults[0].contains("out of range"))
  }

  @Test("a written file that is too large is told at its first line")
  func tooLarge() throws {
    let limit = 1 << 20
    let text = "multiroute: 1\nevents: [{at: 0 s, call: ring}]\n#"
    let folder = try PolicyFolder([
      "full.yaml": text + String(repeating: "x", count: limit - text.utf8.count),
      "large.yaml": text + String(repeating: "x", count: limit + 1 - text.utf8.count),
    ])
    _ = try EventFile.load(path: "\(folder.path)/full.yaml")
    let error = #expect(throws: GraphFileErrors.self) {
      try EventFile.load(path: "\(folder.path)/large.yaml")
    }
    let fault = try #require(error?.diagnostics.first)
    #expect(fault.line == 1 && fault.message.hasPrefix("the file is too large"))
  }

  static let faulty: [(line: String, fault: String)] = [
    ("- {client: mpv}", "3:3: error: event: the key 'at' is missing; write 'at: 3 s'"),
    ("- {at: 3, client: mpv}", "3:8: error: at: '3' has no unit; write '3 ms'"),
    ("- {at: 3 s}", "3:3: error: event: it does not say what happens; write one of: client, open,"),
    ("- {at: 3 s, play: mpv}", "3:19: error: play: there is no 'mpv' yet; write 'client: mpv' or"),
    (
      "- {at: 3 s, client: mpv, class: phone}",
      "3:33: error: class: an event with 'client' has no such key; keys: at, client, executable"
    ),
    (
      "- {at: 3 s, client: a, open: b}", "3:30: error: open: an event with 'client' has no such key"
    ),
    ("- {at: 3 s, open: b}", "3:3: error: source session: it has neither 'preset' nor 'category'"),
    (
      "- {at: 3 s, open: b, category: playback, mode: voiceChat}",
      "3:48: error: mode: the category 'playback' does not take 'voiceChat'"
    ),
    ("- {at: 3 s, cal: ring}", "3:13: error: event: unknown key 'cal' (did you mean 'call'?)"),
    ("- {at: 3 s, call: rings}", "3:19: error: call: 'rings' is not known (did you mean 'ring'?)"),
    ("- {at: 3 s, permission: granted}", "3:3: error: event: the key 'app' is missing"),
    (
      "- {at: 3 s, client: a}\n- {at: 2 s, close: a}",
      "4:8: error: at: the event is before the one above it; write events in order of time"
    ),
    ("- {at: 3 s, client: a}\n- {at: 3 s, client: a}", "4:21: error: client: 'a' is there already"),
  ]

  @Test("a fault is told with its line and column", arguments: faulty.indices)
  func faults(index: Int) {
    let (line, fault) = Self.faulty[index]
    let found = Self.faults("multiroute: 1\nevents:\n\(line)\n")
    #expect(found.contains { $0.hasPrefix("e.yaml:\(fault)") }, "\(found)")
  }

  @Test("a recorded log and a written file are told apart, and their faults told")
  func files() throws {
    var log = EventLog(start: TowerState())
    log.append(TowerEvent(timeNanoseconds: 5, .callAnswered))
    log.append(TowerEvent(timeNanoseconds: 4, .callDeclined))
    let folder = try PolicyFolder([
      "back.jsonl": try log.jsonLines(),
      "old.jsonl": #"{"multirouteEventLog":2,"start":{}}"# + "\n",
      "e.yaml": "multiroute: 1\nevents: [{at: 0 s, call: ring}]\n",
    ])
    guard case .written(let script) = try EventFile.load(path: "\(folder.path)/e.yaml") else {
      Issue.record("no script")
      return
    }
    #expect(script.events.count == 1)
    for (file, fault) in [
      ("back.jsonl", "back.jsonl:3:1: error: the event is before the one above it"),
      ("old.jsonl", "old.jsonl:1:1: error:"), ("none", "none:1:1: error: the file cannot be read"),
    ] {
      let error = #expect(throws: GraphFileErrors.self) {
        try EventFile.load(path: "\(folder.path)/\(file)")
      }
      #expect(error?.description.hasPrefix("\(folder.path)/\(fault)") == true)
    }
  }

  @Test("each shipped file of events has no faults", arguments: ["drive", "evening", "kiosk"])
  func shipped(name: String) throws {
    let path = ShippedGraphs.path("policies/events/\(name)")
    #expect(try EventScript.parse(GraphFile.text(ofFile: path), path: path).events.count >= 8)
  }
}
