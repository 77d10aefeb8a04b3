// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Testing

@testable import Host

/// The sessions and patterns that one connection, and all of them, may have.
struct SessionLimitTests {
  /// A request for a session with patterns that differ from those of other requests.
  private static func request(patterns: Int, _ number: Int) -> String {
    let ports = (0..<patterns).map { #""p\#(number)q\#($0):*""# }.joined(separator: ",")
    return #"{"app":"a","ports":[\#(ports)]}"#
  }

  private static func expectRefusal(
    _ part: String,
    _ body: () async throws -> Void,
  ) async {
    let error = await #expect(throws: Refusal.self) { try await body() }
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }

  @Test func `a connection has 64 sessions, another one as many more`() async throws {
    try await House.with(House.requestGraph) { house in
      for _ in 0..<64 { try await house.call("openSession", #"{"app":"a"}"#) }
      await Self.expectRefusal("64 sessions of this connection") {
        try await house.call("openSession", #"{"app":"a"}"#)
      }
      try await house.call("openSession", #"{"app":"a"}"#, connection: 2)
      try await house.call("closeSession", #"{"session":"a-64"}"#)
      try await house.call("openSession", #"{"app":"a"}"#)
    }
  }

  @Test func `all connections together have 1,024 sessions`() throws {
    let sessions = (0..<1_024).map { number in
      HeldSession(
        name: "a-\(number)",
        app: "a",
        owner: .connection(.init(rawValue: UInt64(number / 64))),
        strips: [],
      )
    }
    let error = #expect(throws: (any Error).self) {
      try SessionLimits(sessions, of: .init(rawValue: 99)).checkSession()
    }
    #expect(error.map { "\($0)" }?.contains("1024 sessions of all connections") == true)
    try SessionLimits(sessions.dropLast(), of: .init(rawValue: 99)).checkSession()
  }

  @Test func `a session has 16 patterns`() async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", Self.request(patterns: 16, 0))
      let refused = Self.request(patterns: 17, 1)
      let error = await #expect(throws: (any Error).self) {
        try await house.call("openSession", refused)
      }
      #expect(error.map { "\($0)" }?.contains("at most 16 strings") == true)
    }
  }

  @Test func `a connection has 256 patterns, and a session's new ones replace its old ones`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      for number in 0..<16 {
        try await house.call("openSession", Self.request(patterns: 16, number))
      }
      await Self.expectRefusal("256 patterns of this connection") {
        try await house.call("openSession", #"{"app":"b","ports":["x:y"]}"#)
      }
      try await house.call(
        "setSessionPorts",
        #"{"session":"a","ports":["x:y","x:z"],"channels":1}"#,
      )
      try await house.call("openSession", #"{"app":"b","ports":["x:y"]}"#, connection: 2)
    }
  }

  @Test func `the steps of all patterns of a connection have a limit`() async throws {
    // 1,789 steps each.
    let costly = (0..<4).map { #""/.{255}\#($0)/""# }.joined(separator: ",")
    try await House.with(House.requestGraph) { house in
      try await house.call("openSession", #"{"app":"a","ports":[\#(costly)]}"#)
      await Self.expectRefusal("8192 steps of the patterns of this connection") {
        try await house.call("openSession", #"{"app":"a","ports":["/.{255}/"]}"#)
      }
      for connection in UInt64(2)...4 {
        let request = #"{"app":"a","ports":[\#(costly)]}"#
        try await house.call("openSession", request, connection: connection)
      }
      await Self.expectRefusal("32768 steps of the patterns of all connections") {
        let request = #"{"app":"a","ports":[\#(costly)]}"#
        try await house.call("openSession", request, connection: 5)
      }
      // The refused one has left nothing.
      #expect(await house.status.sessions.count { $0.app == "a" } == 4)
    }
  }

  @Test func `a strip takes the ports that came before its session, and those that come later`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      await house.play { $0.appear("player", outputs: ["l"]) }
      try await house.call(
        "openSession",
        #"{"app":"player","category":"playback","channels":1,"ports":["player:*"]}"#,
      )
      #expect(house.server.isConnected("player:l", "house:player_in_1"))
      await house.play { $0.appear("player", outputs: ["r"]) }
      #expect(house.server.isConnected("player:r", "house:player_in_1"))
    }
  }
}
