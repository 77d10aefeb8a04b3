// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// Requests of the control socket about the mix, from their JSON to the answer.
struct HouseMixRequestTests {
  @Test(arguments: [
    (#"{"strip":"deck-a","gainDB":-6}"#, "deck-a", -6.0),
    (#"{"strip":"deck-b","gainDB":3.5}"#, "deck-b", 3.5),
  ])
  func `setGain moves a fader`(params: String, strip: String, gainDB: Double) async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setGain", params)
      #expect(await house.status.strips.first { $0.id == strip }?.gainDB == gainDB)
    }
  }

  @Test func `setGain sets a route, and a send`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setGain", #"{"route":"main","gainDB":-4}"#)
      try await house.call("setGain", #"{"strip":"deck-a","route":"main","gainDB":-7}"#)
      let status = await house.status
      #expect(status.routes.first { $0.name == "main" }?.gainDB == -4)
      #expect(status.sends.first { $0.strip == "deck-a" }?.gainDB == -7)
    }
  }

  @Test func `setMute mutes a strip, a route and a send`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setMute", #"{"strip":"deck-a","muted":true}"#)
      try await house.call("setMute", #"{"route":"main","muted":true}"#)
      try await house.call("setMute", #"{"strip":"deck-b","route":"main","muted":true}"#)
      let status = await house.status
      #expect(status.strips.first { $0.id == "deck-a" }?.muted == true)
      #expect(status.routes.first { $0.name == "main" }?.muted == true)
      #expect(status.sends.first { $0.strip == "deck-b" }?.muted == true)
    }
  }

  @Test func `setSolo, setCue and setPan are in the status`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setSolo", #"{"strip":"deck-a","solo":true}"#)
      try await house.call("setCue", #"{"strip":"deck-b","cue":true}"#)
      try await house.call("setPan", #"{"strip":"deck-b","pan":-0.5}"#)
      let strips = await house.status.strips
      #expect(strips.first { $0.id == "deck-a" }?.solo == true)
      #expect(strips.first { $0.id == "deck-b" }?.cue == true)
      #expect(strips.first { $0.id == "deck-b" }?.pan == -0.5)
    }
  }

  @Test func `setCrossfader moves it`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setCrossfader", #"{"position":0.25}"#)
      #expect(await house.status.crossfader?.position == 0.25)
    }
  }

  @Test func `setSend makes a send`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("setSend", #"{"strip":"deck-a","route":"phones","gainDB":-10}"#)
      let send = await house.status.sends.first { $0.strip == "deck-a" && $0.route == "phones" }
      #expect(send?.gainDB == -10)
    }
  }

  @Test func `every change is reported to all subscribers`() async throws {
    try await House.with(House.requestGraph) { house in
      _ = await house.events()
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":-1}"#)
      try await house.call("setMute", #"{"strip":"deck-a","muted":true}"#)
      #expect(await house.kinds().filter { $0 == "mixChanged" }.count == 2)
    }
  }

  @Test func `a fade runs in the engine, and its end is reported`() async throws {
    try await House.with(House.requestGraph) { house in
      let answer = try await house.call(
        "fade",
        #"{"strip":"deck-a","gainDB":-20,"durationMilliseconds":100}"#,
      )
      #expect(answer["fromGainDB"] == .integer(0) || answer["fromGainDB"] == .number(0))
      _ = await house.events()
      await house.advance(milliseconds: 500)
      #expect(await house.kinds().contains("fadeFinished"))
      #expect(await house.status.strips.first { $0.id == "deck-a" }?.gainDB == -20)
    }
  }
}
