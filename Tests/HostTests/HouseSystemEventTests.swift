// SPDX-License-Identifier: MIT

import ControlProtocol
import Sessions
import Testing

@testable import Host

/// Calls, the foreground app and background music, from the request's JSON to events and status.
struct HouseSystemEventTests {
  /// The states of calls among the events since the last look.
  private func calls(_ house: House) async -> [CallState] {
    await house.events().compactMap { event in
      if case .call(let call) = event.payload { call.state } else { nil }
    }
  }

  private func session(_ app: String, _ house: House) async -> SessionStatus? {
    await house.status.sessions.first { $0.app == app }
  }

  @Test func `VOL-2 a media key that nobody gets is refused with the programs it could be for`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"music","category":"playback"}"#)
      let refusal = await #expect(throws: Refusal.self) {
        try await house.call("remoteCommand", #"{"command":"rate","rate":1.5}"#)
      }
      let text = refusal.map { "\($0)" } ?? ""
      #expect(text.contains("'rate'") && text.contains("now playing") && text.contains("music"))
      try await house.call("remoteCommand", #"{"command":"play","session":"music"}"#)
    }
  }

  @Test func `INT-8 a call rings, is answered and ends; each is an event`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"music","category":"playback"}"#)
      try await house.call("activateSession", #"{"session":"music"}"#)
      _ = await house.events()
      try await house.call("simulate", #"{"event":"callRing"}"#)
      #expect(await session("music", house)?.interruptedBy == .simulated(.phone))
      try await house.call("simulate", #"{"event":"callAnswer"}"#)
      try await house.call("simulate", #"{"event":"callEnd"}"#)
      #expect(await calls(house) == [.ringing, .answered, .ended])
      #expect(await session("music", house)?.interruptedBy == nil)
    }
  }

  @Test func `INT-8 a ringing call spares a session that asks for it, until it is answered`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      for app in ["game", "music"] {
        try await house.call("openSession", #"{"app":"\#(app)","category":"ambient"}"#)
        try await house.call("activateSession", #"{"session":"\#(app)"}"#)
      }
      try await house.call(
        "adjustSession",
        #"{"session":"game","prefersNoInterruptionsFromSystemAlerts":true}"#,
      )
      try await house.call("simulate", #"{"event":"callRing"}"#)
      #expect(await session("game", house)?.active == true)
      #expect(await session("music", house)?.active == false)
      try await house.call("simulate", #"{"event":"callDecline"}"#)
      #expect(await session("game", house)?.active == true)
      try await house.call("simulate", #"{"event":"callRing"}"#)
      try await house.call("simulate", #"{"event":"callAnswer"}"#)
      #expect(await session("game", house)?.interruptedBy == .simulated(.phone))
    }
  }

  @Test func `SYS-5 calls of a soloAmbient app wait while another one is in the foreground`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      for app in ["game", "other"] { try await house.call("openSession", #"{"app":"\#(app)"}"#) }
      try await house.call("simulate", #"{"event":"foreground","app":"other"}"#)
      let answer = try await house.call("activateSession", #"{"session":"game"}"#)
      guard case .array(let waiting) = answer["waiting"] else {
        Issue.record("its call does not wait")
        return
      }
      #expect(waiting.count == 1)
      #expect(await session("game", house)?.active == false)
      try await house.call("activateSession", #"{"session":"other"}"#)
      #expect(await session("other", house)?.active == true)
      try await house.call("simulate", #"{"event":"foreground","app":"game"}"#)
      #expect(await session("game", house)?.active == true)
      #expect(await session("other", house)?.interruptedBy == .background)
      try await house.call("simulate", #"{"event":"foreground"}"#)
      #expect(await session("other", house)?.interruptedBy != .background)
    }
  }

  @Test func `SYS-5 the host's own session is never in the background`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("simulate", #"{"event":"foreground","app":"game"}"#)
      #expect(await session("house", house)?.active == true)
    }
  }

  @Test func `SYS-6 background music is silent while another app's music sounds`() async throws {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("game", outputs: ["l"]) }
      try await house.call(
        "openSession",
        #"{"app":"game","category":"ambient","ports":["game:*"],"music":"background"}"#,
      )
      try await house.call("activateSession", #"{"session":"game"}"#)
      await house.giveSignal(to: "game")
      #expect(await session("game", house)?.sounding == true)
      try await house.call("openSession", #"{"app":"radio","category":"playback"}"#)
      try await house.call("activateSession", #"{"session":"radio"}"#)
      try await house.call("adjustSession", #"{"session":"radio","ioRunning":true}"#)
      #expect(await session("game", house)?.sounding == false)
      #expect(await session("game", house)?.active == true)
      try await house.call("adjustSession", #"{"session":"radio","ioRunning":false}"#)
      #expect(await session("game", house)?.sounding == true)
    }
  }

  @Test func `ACT-10 a session with a strip gives no hint before it sounds`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"game","category":"ambient"}"#)
      try await house.call("activateSession", #"{"session":"game"}"#)
      await house.play { $0.appear("player", outputs: ["l"]) }
      try await house.call(
        "openSession",
        #"{"app":"player","category":"playback","ports":["player:*"]}"#,
      )
      try await house.call("activateSession", #"{"session":"player"}"#)
      let player = await session("player", house)
      #expect(player?.sounding == false)
      #expect(player?.silence == "player is active but sends silence.")
      let detail = try await house.call("session", #"{"session":"game"}"#)
      #expect(detail["otherAudioPlaying"] == .bool(false))
      #expect(detail["secondaryAudioShouldBeSilenced"] == .bool(false))
    }
  }

  @Test func `PLR-5 system sounds have a strip that is heard without an activation`() async throws {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("clicks", outputs: ["l", "r"]) }
      try await house.call(
        "openSession",
        #"{"app":"clicks","systemSounds":true,"ports":["clicks:*"]}"#,
      )
      await house.giveSignal(to: "clicks")
      #expect(await session("clicks", house)?.active == false)
      #expect(await session("clicks", house)?.sounding == true)
      try await house.call("simulate", #"{"event":"silentSwitch","on":true}"#)
      #expect(await session("clicks", house)?.sounding == false)
      await #expect(throws: Refusal.self) {
        try await house.call("activateSession", #"{"session":"clicks"}"#)
      }
    }
  }
}
