// SPDX-License-Identifier: MIT

import ControlProtocol
import Sessions
import Testing

@testable import Host

/// Requests of the control socket about sessions, from their JSON to the answer.
struct HouseSessionRequestTests {
  @Test func `SES-1 a session is soloAmbient and inactive at first`() async throws {
    try await House.with(House.requestGraph) { house in
      let answer = try await house.call("openSession", #"{"app":"game"}"#)
      #expect(answer["session"] == .string("game"))
      let session = await house.status.sessions.first { $0.app == "game" }
      #expect(session?.category == .soloAmbient)
      #expect(session?.active == false)
    }
  }

  @Test func `two sessions of one program have two names`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"game"}"#)
      let second = try await house.call("openSession", #"{"app":"game"}"#)
      #expect(second["session"] == .string("game-2"))
    }
  }

  @Test func `SES-6 sessions end with their connection`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"a"}"#, connection: 1)
      try await house.call("openSession", #"{"app":"b"}"#, connection: 2)
      await house.hangUp(1)
      #expect(await house.status.sessions.map(\.app).contains("b"))
      #expect(await !house.status.sessions.map(\.app).contains("a"))
    }
  }

  @Test func `ACT-2 ACT-6 an interruption ends with its session`() async throws {
    try await House.with(House.requestGraph) { house in
      for app in ["a", "b"] {
        try await house.call("openSession", #"{"app":"\#(app)","category":"playback"}"#)
        try await house.call("activateSession", #"{"session":"\#(app)"}"#)
      }
      #expect(await house.status.sessions.first { $0.app == "a" }?.interruptedBy == .session("b"))
      _ = await house.events()
      try await house.call("deactivateSession", #"{"session":"b","notifyOthers":true}"#)
      #expect(await house.status.sessions.first { $0.app == "a" }?.interruptedBy == nil)
      let told = await house.events().contains {
        $0.kind == .session && $0.message.contains("interruptionEnded")
      }
      #expect(told)
    }
  }

  @Test func `a session with ports has a strip that they feed`() async throws {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("player", outputs: ["l", "r"]) }
      let answer = try await house.call(
        "openSession",
        #"{"app":"player","category":"playback","options":["mixWithOthers"],"ports":["player:*"]}"#,
      )
      #expect(answer["strip"] == .string("player"))
      #expect(house.server.isConnected("player:l", "house:player_in_1"))
      #expect(house.server.isConnected("player:r", "house:player_in_2"))
    }
  }

  @Test func `INT-1 ports of a session are heard through its strip only`() async throws {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("player", outputs: ["l"]) }
      try await house.call(
        "openSession",
        #"{"app":"player","category":"playback","ports":["player:*"]}"#,
      )
      await house.play { $0.connect("player:l", "system:playback_1") }
      #expect(!house.server.isConnected("player:l", "system:playback_1"))
    }
  }

  @Test func `the strip of a session goes with it`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"player","ports":["player:*"]}"#)
      try await house.call("closeSession", #"{"session":"player"}"#)
      #expect(await house.status.strips.map(\.id) == ["deck-a", "deck-b"])
    }
  }

  @Test func `SES-3 category, mode and options change, and are in the detail`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"chat"}"#)
      try await house.call(
        "configureSession",
        #"{"session":"chat","category":"playAndRecord","mode":"voiceChat","options":["duckOthers"]}"#,
      )
      let detail = try await house.call("session", #"{"session":"chat"}"#)
      #expect(detail["category"] == .string("playAndRecord"))
      #expect(detail["mode"] == .string("voiceChat"))
    }
  }

  @Test func `MOD-1 a mode that the category does not take is refused without effect`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"game","category":"ambient"}"#)
      await #expect(throws: Refusal.self) {
        try await house.call("configureSession", #"{"session":"game","mode":"voiceChat"}"#)
      }
      let detail = try await house.call("session", #"{"session":"game"}"#)
      #expect(detail["mode"] == .string("default"))
    }
  }

  @Test(arguments: [PriorityClass.phone, .alarm, .assistant])
  func `ACT-4 a simulated interruption begins and ends`(
    priorityClass: PriorityClass
  ) async throws {
    let name = priorityClass.name
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"music","category":"playback"}"#)
      try await house.call("activateSession", #"{"session":"music"}"#)
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"\#(name)"}"#)
      let during = await house.status.sessions.first { $0.app == "music" }
      #expect(during?.interruptedBy == .simulated(priorityClass))
      try await house.call("simulate", #"{"event":"interruptionEnd","priorityClass":"\#(name)"}"#)
      #expect(await house.status.sessions.first { $0.app == "music" }?.interruptedBy == nil)
    }
  }

  @Test func `SYS-1 the silent switch closes the gate of an ambient session`() async throws {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("game", outputs: ["l", "r"]) }
      try await house.call(
        "openSession",
        #"{"app":"game","category":"ambient","ports":["game:*"]}"#,
      )
      try await house.call("activateSession", #"{"session":"game"}"#)
      await house.advance(milliseconds: 200)
      _ = await house.events()
      try await house.call("simulate", #"{"event":"silentSwitch","on":true}"#)
      await house.advance(milliseconds: 500)
      #expect(await house.kinds().contains("gateClosed"))
    }
  }

  @Test func `ACT-8 a session that sends silence for long is in the status`() async throws {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("player", outputs: ["l", "r"]) }
      try await house.call(
        "openSession",
        #"{"app":"player","category":"playback","ports":["player:*"]}"#,
      )
      try await house.call("activateSession", #"{"session":"player"}"#)
      await house.advance(milliseconds: 1_500)
      house.clock.advance(nanoseconds: 3_600_000_000_000)
      await house.advance(milliseconds: 100)
      #expect(await house.status.sessions.first { $0.app == "player" }?.silentForLong == true)
    }
  }

  @Test func `why explains a session that is interrupted`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"music","category":"playback"}"#)
      try await house.call("activateSession", #"{"session":"music"}"#)
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#)
      let answer = try await house.call("why", #"{"app":"music"}"#)
      guard case .array(let sessions) = answer["sessions"] else {
        Issue.record("no sessions")
        return
      }
      #expect(sessions.first?["level"] == .string("silent"))
    }
  }

  @Test func `PRM-1 a program's permission is undetermined until the user answers`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"rec","category":"record"}"#)
      let asked = try await house.call("requestPermission", #"{"session":"rec"}"#)
      #expect(asked["permission"] == .string("undetermined"))
      try await house.call(
        "setPermission",
        #"{"program":"rec","permission":"granted"}"#,
        connection: 2
      )
      let answered = try await house.call("requestPermission", #"{"session":"rec"}"#)
      #expect(answered["permission"] == .string("granted"))
    }
  }

  @Test func `PRM-2 a program with a session cannot answer for its user`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"rec","category":"record"}"#)
      await #expect(throws: Refusal.self) {
        try await house.call(
          "setPermission",
          #"{"program":"rec","permission":"granted"}"#,
          connection: 1,
        )
      }
      let asked = try await house.call("requestPermission", #"{"session":"rec"}"#)
      #expect(asked["permission"] == .string("undetermined"))
    }
  }
}
