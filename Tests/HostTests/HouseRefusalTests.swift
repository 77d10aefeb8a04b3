// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// A request that the host refuses, and a part of the sentence that says why.
struct Refused: Sendable, CustomTestStringConvertible {
  let method: String
  let params: String
  let part: String
  var testDescription: String { "\(method) \(params)" }
}

/// Requests of the control socket that are refused.
struct HouseRefusalTests {
  @Test(arguments: [
    Refused(method: "setGain", params: #"{"strip":"none","gainDB":0}"#, part: "deck-a"),
    Refused(method: "setGain", params: #"{"route":"none","gainDB":0}"#, part: "main"),
    Refused(
      method: "setGain",
      params: #"{"strip":"deck-a","route":"phones","gainDB":0}"#,
      part: "no send",
    ),
    Refused(method: "setMute", params: #"{"strip":"none","muted":true}"#, part: "deck-a"),
    Refused(method: "setSolo", params: #"{"strip":"none","solo":true}"#, part: "deck-a"),
    Refused(method: "setPan", params: #"{"strip":"none","pan":0}"#, part: "deck-a"),
    Refused(method: "setCue", params: #"{"strip":"none","cue":true}"#, part: "deck-a"),
    Refused(
      method: "setCue",
      params: #"{"strip":"deck-a","cue":true,"route":"none"}"#,
      part: "main",
    ),
    Refused(
      method: "setSend",
      params: #"{"strip":"deck-a","route":"none","gainDB":0}"#,
      part: "main",
    ),
    Refused(
      method: "setSend",
      params: #"{"strip":"deck-a","route":"main","gainDB":0,"stripChannel":3,"routeChannel":1}"#,
      part: "1 to 2",
    ),
    Refused(
      method: "fade",
      params: #"{"strip":"none","gainDB":0,"durationMilliseconds":10}"#,
      part: "deck-a",
    ),
    Refused(method: "setAlignment", params: #"{"route":"none","mode":"free"}"#, part: "main"),
    Refused(method: "setAlignment", params: #"{"route":"mic","mode":"free"}"#, part: "main"),
    Refused(method: "activateSession", params: #"{"session":"none"}"#, part: "host"),
    Refused(method: "session", params: #"{"session":"none"}"#, part: "host"),
    Refused(method: "closeSession", params: #"{"session":"host"}"#, part: "session of the graph"),
    Refused(
      method: "setSessionPorts",
      params: #"{"session":"host","ports":["a:*"]}"#,
      part: "session of the graph",
    ),
    Refused(method: "why", params: #"{"app":"none"}"#, part: "host"),
    Refused(method: "startRecording", params: #"{"recorder":"none"}"#, part: "a source and a file"),
    Refused(
      method: "startRecording",
      params: #"{"recorder":"take","from":"main","file":"/tmp/take.mp3"}"#,
      part: ".wav or .flac",
    ),
    Refused(method: "stopRecording", params: #"{"recorder":"none"}"#, part: "none"),
    Refused(
      method: "setInserts",
      params: #"{"strip":"deck-a","nodes":["none"]}"#,
      part: "no node 'none'",
    ),
    Refused(
      method: "setBypass",
      params: #"{"strip":"deck-a","node":"none","bypassed":true}"#,
      part: "none",
    ),
    Refused(
      method: "simulate",
      params: #"{"event":"background","app":"none","on":true}"#,
      part: "host",
    ),
    Refused(method: "openSession", params: #"{"app":"x","routes":["none"]}"#, part: "main"),
  ])
  func `a refusal lists the allowed values, and leaves the state`(refused: Refused) async throws {
    try await House.with(House.requestGraph) { house in
      let before = await house.status
      do {
        try await house.call(refused.method, refused.params)
        Issue.record("not refused")
      } catch {
        #expect("\(error)".contains(refused.part))
      }
      let after = await house.status
      #expect(after.strips == before.strips)
      #expect(after.routes == before.routes)
      #expect(after.sends == before.sends)
      #expect(after.sessions.map(\.id) == before.sessions.map(\.id))
    }
  }

  @Test func `a graph without a crossfader refuses to move it`() async throws {
    let graph = """
      multiroute: 1
      name: house
      routes: {main: {type: lineOut, ports: [system:playback_1]}}
      sources: {deck: {ports: ["a:left"]}}
      mix: [{from: deck, to: main}]
      """
    try await House.with(graph) { house in
      let error = await #expect(throws: (any Error).self) {
        try await house.call("setCrossfader", #"{"position":0.5}"#)
      }
      #expect(error.map { "\($0)" }?.contains("crossfader: {a: SOURCE, b: SOURCE}") == true)
    }
  }
}
