// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import GraphFiles
import JACK
import Sessions
import TestSupport
import Testing

@testable import Host

/// Requests that apps may not make (PRM-2), and the roles of connections.
struct RoleTests {
  /// The connections of an app and of another one.
  private static let app: UInt64 = 1
  private static let other: UInt64 = 2

  /// The requests that need a user's tool, or the session `other`'s own program.
  private static let policy: [(method: String, params: String)] = [
    ("setPermission", #"{"program":"rec","permission":"granted"}"#),
    ("simulate", #"{"event":"silentSwitch","on":true}"#),
    ("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#),
    ("simulate", #"{"event":"foreground","app":"other"}"#),
    ("simulate", #"{"event":"foreground"}"#),
    ("simulate", #"{"event":"background","app":"other"}"#),
    ("configureSession", #"{"session":"other","category":"ambient"}"#),
    ("activateSession", #"{"session":"other"}"#),
    ("deactivateSession", #"{"session":"other"}"#),
    ("adjustSession", #"{"session":"other","outputMuted":true}"#),
    ("chooseRoute", #"{"session":"other","route":"main"}"#),
    ("setSessionPorts", #"{"session":"other","ports":["x:*"]}"#),
    ("deactivateSession", #"{"session":"host"}"#),
    ("closeSession", #"{"session":"other"}"#),
    ("set", #"{"values":[{"path":"/permission/rec","value":"granted"}]}"#),
    ("set", #"{"values":[{"path":"/simulate/lock","value":true}]}"#),
    ("set", #"{"values":[{"path":"/simulate/interruption/phone","value":true}]}"#),
    ("set", #"{"values":[{"path":"/simulate/unplug/main","value":true}]}"#),
    ("set", #"{"values":[{"path":"/session/other/active","value":true}]}"#),
    ("openSession", #"{"app":"call","category":"playback","priorityClass":"phone"}"#),
    ("openSession", #"{"app":"app","category":"playback","priorityClass":"assistant"}"#),
  ]

  private func with(_ tower: String = "", _ body: (House) async throws -> Void) async throws {
    let graph = House.requestGraph + "\ntower: {classes: {phone: [call]}\(tower)}\n"
    try await House.with(graph) { house in
      for (name, connection) in [("app", Self.app), ("other", Self.other)] {
        try await house.call(
          "openSession",
          #"{"app":"\#(name)","category":"playback","ports":["\#(name):out"]}"#,
          connection: connection,
        )
      }
      try await body(house)
    }
  }

  @Test(arguments: [true, false])
  func `VOL-4 the graph decides whether an app's own route picker counts`(counts: Bool) async throws
  {
    try await with(counts ? "" : ", appsMayChooseRoutes: false") { house in
      let params = #"{"session":"app","route":"main"}"#
      do {
        try await house.call("chooseRoute", params, connection: Self.app)
        #expect(counts)
      } catch let refusal as Refusal {
        #expect(!counts)
        #expect(refusal.message.contains("the graph leaves the choice of routes to its user"))
      }
      let routes = await house.status.sends.filter { $0.strip == "app" }.map(\.route)
      #expect(routes == [counts ? "main" : "phones"])
      try await house.call("chooseRoute", params, connection: House.userConnection)
      #expect(await house.status.sends.first { $0.strip == "app" }?.route == "main")
    }
  }

  private func role(_ role: ClientRole?, of connection: UInt64, on house: House) async -> ClientRole
  {
    await house.host.router().role(role, of: ConnectionID(rawValue: connection))
  }

  @Test func `PRM-2 an app changes nothing that its user decides`() async throws {
    try await with { house in
      let before = await house.status.sessions
      for (method, params) in Self.policy {
        let refusal = await #expect(throws: Refusal.self, "\(method) \(params)") {
          try await house.call(method, params, connection: Self.app)
        }
        #expect(refusal?.message.contains("PRM-2") == true, "\(method) \(params)")
        #expect(refusal?.message.contains("allowed: its own sessions;") == true)
      }
      let after = await house.status.sessions
      #expect(after.map(\.id) == before.map(\.id))
      #expect(after.map(\.active) == before.map(\.active))
      #expect(after.map(\.interruptedBy) == before.map(\.interruptedBy))
    }
  }

  @Test(arguments: [false, true])
  func `a user's tool may do it all, and an app where the graph lets it`(_ isApp: Bool) async throws
  {
    try await with(isApp ? ", appsMayChangePolicy: true" : "") { house in
      for (index, (method, params)) in Self.policy.enumerated() {
        // A tool that has opened a session is an app from then on.
        let connection = isApp ? Self.app : House.userConnection + UInt64(index)
        if !isApp { #expect(await role(.user, of: connection, on: house) == .user) }
        do {
          try await house.call(method, params, connection: connection)
        } catch let refusal as Refusal {
          // The tower and the rooms may have a reason of their own.
          #expect(!refusal.message.contains("allowed: its own sessions;"), "\(method) \(params)")
        }
      }
      let sessions = await house.status.sessions.map(\.app)
      #expect(sessions.contains("call") && !sessions.contains("other"))
    }
  }

  @Test func `an app's own session, the mix and all that only reads are its own business`()
    async throws
  {
    try await with { house in
      for (method, params) in [
        ("configureSession", #"{"session":"app","category":"ambient"}"#),
        ("activateSession", #"{"session":"app"}"#),
        ("adjustSession", #"{"session":"app","outputMuted":true}"#),
        ("setSessionPorts", #"{"session":"app","ports":["app:*"]}"#),
        ("simulate", #"{"event":"foreground","app":"app"}"#),
        ("setGain", #"{"strip":"deck-a","gainDB":-6}"#),
        ("setMute", #"{"strip":"deck-a","muted":true}"#),
        ("remoteCommand", #"{"command":"pause","session":"app"}"#),
        ("session", #"{"session":"other"}"#), ("status", "{}"), ("listPermissions", "{}"),
        ("deactivateSession", #"{"session":"app"}"#),
        ("closeSession", #"{"session":"app"}"#),
      ] {
        try await house.call(method, params, connection: Self.app)
      }
    }
  }

  @Test func `a connection is what it says, until it opens a session`() async throws {
    try await with { house in
      #expect(await role(nil, of: 7, on: house) == .user)
      #expect(await role(.user, of: 8, on: house) == .user)
      #expect(await role(.app, of: 9, on: house) == .app)
      #expect(await role(.user, of: 9, on: house) == .app)
      #expect(await role(.user, of: Self.app, on: house) == .app)
      #expect(await role(nil, of: Self.app, on: house) == .app)
      await house.hangUp(9)
      #expect(await role(.user, of: 9, on: house) == .user)
    }
  }

  @Test func `PRM-2 an app answers for nobody but others, where the graph lets it answer`()
    async throws
  {
    try await with(", appsMayChangePolicy: true") { house in
      for app in ["app", "App"] {
        let refusal = await #expect(throws: Refusal.self) {
          try await house.call(
            "setPermission",
            #"{"program":"\#(app)","permission":"granted"}"#,
            connection: Self.app,
          )
        }
        #expect(refusal?.message.contains("a program cannot answer for its user") == true)
      }
    }
  }

  // MARK: - Processes

  /// A room whose links are a script.
  private final class Script {
    private let graph: GraphRoom
    var own: Set<Int32> = [100]
    var capturing: Set<Int32> = []
    var starts: [Int32: UInt64] = [1: 10, 2: 20, 100: 5]
    var programs: [Int32: String] = [:]
    private(set) lazy var room = RoleRoom(
      graph: graph,
      links: RoleRoom.Links(
        isOwnProgram: { [unowned self] in own.contains($0) },
        isCapturing: { [unowned self] in capturing.contains($0) },
        startTicks: { [unowned self] in starts[$0] },
        owner: { _ in .connection(ConnectionID(rawValue: 50, processID: 2)) },
        owners: { _ in [] },
        isProgram: { [unowned self] in programs[$0] == $1 },
      ),
    )

    init() throws {
      graph = GraphRoom(try GraphFile.parse("multiroute: 1\nname: house\n", path: "house.yaml"))
    }

    func mayStop(_ connection: UInt64, of process: Int32) -> Bool {
      may(ControlRequest(Stop.self, Stop.Params()), connection, of: process)
    }

    func may(_ request: ControlRequest, _ connection: UInt64, of process: Int32) -> Bool {
      do throws(ControlError) {
        try room.check(request, from: ConnectionID(rawValue: connection, processID: process))
        return true
      } catch {
        return false
      }
    }
  }

  @Test func `an app is one on all its connections, until its process ends`() throws {
    let script = try Script()
    let first = ConnectionID(rawValue: 1, processID: 1)
    #expect(script.mayStop(2, of: 1))
    #expect(script.room.hello(.app, from: first) == .app)
    #expect(!script.mayStop(2, of: 1))
    #expect(script.room.hello(.user, from: ConnectionID(rawValue: 2, processID: 1)) == .app)
    script.room.connectionClosed(first)
    #expect(!script.mayStop(3, of: 1))
    #expect(script.mayStop(4, of: 2))
    // Another process has its id.
    script.starts[1] = 30
    #expect(script.mayStop(5, of: 1))
  }

  @Test func `a program that records is an app, and the host's own program is none`() throws {
    let script = try Script()
    script.capturing = [2]
    #expect(!script.mayStop(1, of: 2))
    script.room.noteApp(ConnectionID(rawValue: 2, processID: 100))
    #expect(script.mayStop(3, of: 100))
    #expect(script.room.hello(.app, from: ConnectionID(rawValue: 4, processID: 100)) == .user)
  }

  @Test func `a session is its process's, and a class above app the graph's program's`() throws {
    let script = try Script()
    let close = ControlRequest(CloseSession.self, CloseSession.Params(session: "any"))
    for process: Int32 in [1, 2] {
      script.room.noteApp(ConnectionID(rawValue: UInt64(process), processID: process))
    }
    #expect(!script.may(close, 10, of: 1))
    #expect(script.may(close, 11, of: 2))
    var params = OpenSession.Params(app: "linphone")
    params.priorityClass = .phone
    let call = ControlRequest(OpenSession.self, params)
    #expect(!script.may(call, 12, of: 1))
    script.programs[1] = "linphone"
    #expect(script.may(call, 13, of: 1))
    #expect(script.may(call, 14, of: 100))
    // A tool that says nothing opens a session, and so is an app.
    script.starts[3] = 1
    #expect(!script.may(call, 15, of: 3))
    #expect(script.room.hello(.user, from: ConnectionID(rawValue: 15, processID: 3)) == .user)
    #expect(script.may(call, 15, of: 3))
  }

  @Test(arguments: ClientRole.allCases)
  func `a page keeps the role that it was given, whatever it says and opens`(role: ClientRole)
    throws
  {
    let script = try Script()
    let page = ConnectionID(rawValue: 1, grantedRole: role)
    for claim in ClientRole.allCases { #expect(script.room.hello(claim, from: page) == role) }
    script.room.noteApp(page)
    #expect(script.room.hello(nil, from: page) == role)
    let call = ControlRequest(Stop.self, Stop.Params())
    #expect(((try? script.room.check(call, from: page)) != nil) == (role == .user))
  }

  @Test func `of many processes those that have ended are forgotten`() throws {
    let script = try Script()
    for process: Int32 in 1_000..<2_000 {
      script.starts[process] = 1
      script.room.noteApp(ConnectionID(rawValue: UInt64(process), processID: process))
      script.starts[process] = process == 1_000 ? 1 : nil
    }
    #expect(!script.mayStop(1, of: 1_000))
    script.starts[1_999] = 2
    #expect(script.mayStop(2, of: 1_999))
  }
}
