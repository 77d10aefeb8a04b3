// SPDX-License-Identifier: MIT

import ControlProtocol
import Surfaces
import TestSupport
import Testing

@testable import Host

/// Requests of the control socket about parameters, from their JSON to the answer.
@Suite(.timeLimit(.minutes(1)))
struct ParameterRequestTests {
  private static func value(_ path: String, _ house: House) async throws -> JSONValue {
    let answer = try await house.call("get", #"{"paths":["\#(path)"]}"#)
    guard case .array(let values) = answer["values"] else { return .null }
    return values.first?["value"] ?? .null
  }

  private static func set(_ path: String, _ value: String, _ house: House) async throws {
    try await house.call("set", #"{"values":[{"path":"\#(path)","value":\#(value)}]}"#)
  }

  @Test(arguments: [
    ("/strip/deck-a/gain", "-6.5"), ("/strip/deck-a/gain", #""-inf""#), ("/route/main/gain", "3"),
    ("/strip/deck-a/send/main/gain", "-12"), ("/strip/deck-a/mute", "true"),
    ("/route/main/mute", "true"), ("/strip/deck-b/send/main/mute", "true"),
    ("/strip/deck-a/solo", "true"), ("/strip/deck-b/cue", "true"), ("/strip/deck-b/pan", "0.25"),
    ("/crossfader/position", "-0.5"), ("/route/main/alignment", #""auto""#),
    ("/route/main/delay", "10"),
  ])
  func `a parameter has the value that it was set to`(path: String, value: String) async throws {
    try await House.with(House.requestGraph) { house in
      try await Self.set(path, value, house)
      let read = try await Self.value(path, house)
      let wanted: JSONValue =
        switch value {
        case "true": .bool(true)
        case _ where value.hasPrefix("\""): .string(String(value.dropFirst().dropLast()))
        default:
          Double(value).flatMap(Int64.init(exactly:)).map(JSONValue.integer)
            ?? .number(Double(value) ?? 0)
        }
      #expect(read == wanted)
    }
  }

  @Test(arguments: [
    ("setGain", #"{"strip":"deck-a","gainDB":-6.5}"#, "/strip/deck-a/gain", "-6.5"),
    ("setGain", #"{"route":"main","gainDB":3}"#, "/route/main/gain", "3"),
    (
      "setGain", #"{"strip":"deck-a","route":"main","gainDB":-12}"#,
      "/strip/deck-a/send/main/gain", "-12"
    ),
    ("setMute", #"{"strip":"deck-a","muted":true}"#, "/strip/deck-a/mute", "true"),
    ("setMute", #"{"route":"main","muted":true}"#, "/route/main/mute", "true"),
    (
      "setMute", #"{"strip":"deck-b","route":"main","muted":true}"#,
      "/strip/deck-b/send/main/mute", "true"
    ),
    ("setSolo", #"{"strip":"deck-a","solo":true}"#, "/strip/deck-a/solo", "true"),
    ("setCue", #"{"strip":"deck-b","cue":true}"#, "/strip/deck-b/cue", "true"),
    ("setPan", #"{"strip":"deck-b","pan":0.25}"#, "/strip/deck-b/pan", "0.25"),
    (
      "setSend", #"{"strip":"deck-a","route":"phones","gainDB":-10}"#,
      "/strip/deck-a/send/phones/gain", "-10"
    ),
    ("setCrossfader", #"{"position":-0.5}"#, "/crossfader/position", "-0.5"),
    (
      "setAlignment", #"{"route":"main","mode":"manual","delayMilliseconds":10}"#,
      "/route/main/alignment", "manual"
    ),
    (
      "setAlignment", #"{"route":"main","mode":"manual","delayMilliseconds":10}"#,
      "/route/main/delay", "10"
    ),
    (
      "setPermission", #"{"program":"rec","permission":"granted"}"#, "/permission/rec", "granted"
    ),
    ("simulate", #"{"event":"silentSwitch","on":true}"#, "/simulate/silentSwitch", "true"),
    ("simulate", #"{"event":"lock","on":true}"#, "/simulate/lock", "true"),
    ("simulate", #"{"event":"microphoneMute"}"#, "/simulate/microphoneMute", "true"),
    (
      "simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#,
      "/simulate/interruption/phone", "true"
    ),
    ("simulate", #"{"event":"callRing"}"#, "/simulate/interruption/phone", "true"),
    ("simulate", #"{"event":"unplug","route":"main"}"#, "/simulate/unplug/main", "true"),
    ("activateSession", #"{"session":"rec"}"#, "/session/rec/active", "true"),
  ])
  func `a value that a method sets is in the tree`(
    method: String,
    params: String,
    path: String,
    value: String,
  ) async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"rec","category":"playback"}"#)
      let tree = await house.tree()
      _ = try await tree.watch([path], echoes: false)
      try await house.call(method, params)
      let wanted: ParameterValue =
        value == "true" ? .flag(true) : Double(value).map(ParameterValue.number) ?? .text(value)
      #expect(try await tree.get([path]) == [ParameterSetting(path: path, value: wanted)])
      // Nobody has to ask: the change is sent.
      await house.advance(milliseconds: 50)
      var changes: [ParameterSetting] = []
      for await news in tree.news {
        guard case .parameters(let parameters) = news else { continue }
        changes = parameters.changes
        break
      }
      #expect(changes == [ParameterSetting(path: path, value: wanted)])
    }
  }

  @Test func `1,000 random values are the same through the tree and through the older methods`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      var generator = TestSeed.random()
      for round in 0..<500 {
        let gain = Double.random(in: -90...24, using: &generator)
        let pan = Double.random(in: -1...1, using: &generator)
        let strip = round.isMultiple(of: 2) ? "deck-a" : "deck-b"
        try await Self.set("/strip/\(strip)/gain", "\(gain)", house)
        try await house.call("setPan", #"{"strip":"\#(strip)","pan":\#(pan)}"#)
        let status = await house.status.strips.first { $0.id == strip }
        #expect(abs((status?.gainDB ?? .nan) - gain) < 1e-6)
        let read = try await Self.number("/strip/\(strip)/pan", house)
        #expect(abs(read - pan) < 1e-6)
      }
    }
  }

  private static func number(_ path: String, _ house: House) async throws -> Double {
    switch try await value(path, house) {
    case .number(let number): number
    case .integer(let number): Double(number)
    default: .nan
    }
  }

  @Test func `list has everything about a branch`() async throws {
    try await House.with(House.requestGraph) { house in
      let answer = try await house.call("list", #"{"path":"/strip/deck-a"}"#)
      guard case .array(let parameters) = answer["parameters"] else {
        Issue.record("no list")
        return
      }
      let paths = parameters.compactMap {
        if case .string(let path) = $0["path"] { path } else { nil }
      }
      #expect(
        paths == [
          "/strip/deck-a/color", "/strip/deck-a/cue", "/strip/deck-a/gain", "/strip/deck-a/label",
          "/strip/deck-a/level", "/strip/deck-a/mute", "/strip/deck-a/pan", "/strip/deck-a/safe",
          "/strip/deck-a/send/main/gain",
          "/strip/deck-a/send/main/mute",
          "/strip/deck-a/solo", "/strip/deck-a/why",
        ]
      )
      let gain = parameters[2]
      #expect(gain["type"] == "number" && gain["unit"] == "dB" && gain["taper"] == "fader")
      #expect(gain["minimum"] == "-inf" && gain["maximum"] == 24 && gain["access"] == "readWrite")
    }
  }

  @Test(arguments: [
    ("/strip/deck-a/gain", "25", "a number from \"-inf\" to 24.0 dB"),
    ("/strip/deck-a/gain", "true", "a number from"),
    ("/strip/deck-a/pan", "-1.5", "a number from -1.0 to 1.0"),
    ("/strip/deck-a/mute", "1", "true or false"),
    ("/route/main/alignment", #""sideways""#, "auto, manual, free"),
    ("/strip/deck-a/level", "[0]", "it can only be read"),
    ("/strip/nobody/gain", "0", "there is no strip 'nobody'"),
    ("/strip/deck-a/colour", "0", "there is no parameter"),
    ("strip", "0", "there is no parameter"),
  ])
  func `a wrong setting is refused, and the settings before it in the request are not made`(
    path: String,
    value: String,
    reason: String,
  ) async throws {
    try await House.with(House.requestGraph) { house in
      let values =
        #"[{"path":"/strip/deck-b/pan","value":0.5},{"path":"\#(path)","value":\#(value)}]"#
      let refusal = await #expect(throws: Refusal.self) {
        try await house.call("set", #"{"values":\#(values)}"#)
      }
      #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
      // Whether a strip of the name exists is known only when it is changed.
      guard path != "/strip/nobody/gain" else { return }
      let pan = try await Self.number("/strip/deck-b/pan", house)
      #expect(pan == 0)
    }
  }

  @Test func `a path without a parameter cannot be read or listed`() async throws {
    try await House.with(House.requestGraph) { house in
      await #expect(throws: Refusal.self) { try await house.call("get", #"{"paths":["/x"]}"#) }
      await #expect(throws: Refusal.self) { try await house.call("list", #"{"path":"/strip/x"}"#) }
    }
  }
}
