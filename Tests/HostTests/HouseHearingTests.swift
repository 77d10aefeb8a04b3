// SPDX-License-Identifier: MIT

import ControlProtocol
import Surfaces
import Testing

@testable import Host

/// Two decks on a route that is there, and a source on a route that waits for its ports.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: ["usb:out_1", "usb:out_2"]}
  sources:
    deck-a: {ports: ["a:left", "a:right"]}
    deck-b: {ports: ["b:left", "b:right"]}
    talk: {ports: ["t:out"]}
  mix:
    - {from: deck-a, to: main}
    - {from: deck-b, to: main}
    - {from: talk, to: phones}
  controls:
    crossfader: {a: deck-a, b: deck-b}
  """

extension House {
  /// The sentence of `why` for a strip.
  fileprivate func why(_ strip: String) async throws -> String? {
    let answer = try await call("why", #"{"app":"\#(strip)"}"#)
    guard case .array(let sessions) = answer["sessions"],
      case .string(let sentence)? = sessions.first?["sentence"]
    else { return nil }
    return sentence
  }

  /// The text of a strip on displays.
  fileprivate func shown(_ strip: String) async throws -> String? {
    let answer = try await call("get", #"{"paths":["/strip/\#(strip)/why"]}"#)
    guard case .array(let values) = answer["values"],
      case .string(let text)? = values.first?["value"]
    else { return nil }
    return text
  }

  /// The host's own session.
  fileprivate var own: SessionStatus? {
    get async { await status.sessions.first { $0.id == "host" } }
  }
}

extension HostTree {
  /// The next changes of what it watches.
  fileprivate var nextChanges: [ParameterSetting] {
    get async {
      for await item in news {
        if case .parameters(let parameters) = item { return parameters.changes }
      }
      return []
    }
  }
}

/// One judgement of what is heard, for `why`, `status` and displays.
@Suite(.timeLimit(.minutes(1)))
struct HouseHearingTests {
  @Test(arguments: [
    ("setMute", #"{"strip":"deck-a","muted":true}"#, "its strip 'deck-a' is muted"),
    (
      "setGain", #"{"strip":"deck-a","gainDB":"-inf"}"#,
      "the fader of its strip 'deck-a' is at the bottom"
    ),
    (
      "setMute", #"{"strip":"deck-a","route":"main","muted":true}"#,
      "the send of its strip 'deck-a' to 'main' is muted"
    ),
    (
      "setCrossfader", #"{"position":1}"#,
      "the crossfader stands on the other side of its strip 'deck-a'"
    ),
    ("setSolo", #"{"strip":"deck-b","solo":true}"#, "strip 'deck-b' is soloed"),
  ])
  func `a deck that is silenced is told so, and the other one keeps the session sounding`(
    method: String,
    params: String,
    cause: String
  ) async throws {
    try await House.with(graph) { house in
      await house.giveSignal(to: "deck-a", "deck-b")
      #expect(try await house.why("deck-a") == "house is heard in full.")
      #expect(try await house.shown("deck-a") == "")
      try await house.call(method, params)
      #expect(try await house.why("deck-a") == "house is silent because \(cause).")
      let told = cause.prefix(1).uppercased() + cause.dropFirst() + "."
      #expect(try await house.shown("deck-a") == told)
      #expect(try await house.shown("deck-b") == "")
      let own = await house.own
      #expect(own?.sounding == true && own?.silence == nil)
    }
  }

  @Test func `a muted master silences the session`() async throws {
    try await House.with(graph) { house in
      await house.giveSignal(to: "deck-a", "deck-b", "talk")
      try await house.call("setMute", #"{"route":"main","muted":true}"#)
      let sentence = "house is silent because route 'main' is muted."
      #expect(try await house.why("deck-b") == sentence)
      #expect(try await house.shown("deck-b") == "Route 'main' is muted.")
      let own = await house.own
      #expect(own?.sounding == false && own?.silence == sentence)
      #expect(own?.connected == true)
    }
  }

  @Test func `a route waits for its ports, is heard with them, and is silent when unplugged`()
    async throws
  {
    try await House.with(graph) { house in
      await house.giveSignal(to: "talk")
      #expect(
        try await house.why("talk") == "house is silent because route 'phones' waits for its ports."
      )
      await house.play { $0.appear("usb", inputs: ["out_1", "out_2"]) }
      await house.giveSignal(to: "talk")
      #expect(try await house.why("talk") == "house is heard in full.")
      try await house.call("simulate", #"{"event":"unplug","route":"phones"}"#)
      #expect(try await house.shown("talk") == "Route 'phones' is unplugged, as it is simulated.")
    }
  }

  @Test func `a route that waits is heard on its fallback`() async throws {
    let standIn = graph.replacing("type: headphones,", with: "type: headphones, fallback: main,")
    try await House.with(standIn) { house in
      await house.giveSignal(to: "talk")
      let why = try await house.why("talk")
      #expect(why == "house is heard in full.")
      #expect(try await house.shown("talk") == "")
    }
  }

  @Test func `a strip without a signal is told so beside one that plays`() async throws {
    try await House.with(graph) { house in
      await house.giveSignal(to: "deck-b")
      let sentence = "house is active but nothing plays into 'deck-a'."
      #expect(try await house.why("deck-a") == sentence)
      #expect(try await house.shown("deck-a") == sentence)
      #expect(await house.own?.sounding == true)
      // A watcher is told when it sounds.
      let tree = await house.tree()
      let before = try await tree.watch(["/strip/deck-a/why"], echoes: false)
      #expect(before.map(\.value) == [.text(sentence)])
      await house.giveSignal(to: "deck-a", "deck-b")
      let news = await tree.nextChanges
      #expect(news.map(\.value) == [.text("")])
    }
  }

  @Test func `a host whose strips send nothing is not heard`() async throws {
    try await House.with(graph) { house in
      await house.giveSignal()
      let own = await house.own
      #expect(own?.active == true && own?.sounding == false)
      #expect(own?.silence == "house is active but sends silence.")
    }
  }

  @Test func `a host without a source is not heard`() async throws {
    try await House.with(House.adoptionGraph) { house in
      let own = await house.own
      let sentence = "house plays nothing: no source of the graph is in its session."
      #expect(own?.active == true && own?.sounding == false)
      #expect(own?.silence == sentence)
      let why = try await house.why("house")
      #expect(why == sentence)
    }
  }
}
