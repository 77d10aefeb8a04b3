// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import Testing

@testable import Host

/// The user's choice of the route on which a program is heard (VOL-4).
struct RoutePickerTests {
  /// Two outputs, and programs that are adopted, one of them with two strips.
  private static let graph = """
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: granted}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, label: My headphones, ports: [system:playback_3, system:playback_4]}
    sources: {}
    mix: []
    adopt:
      - client: decks
        session: {category: playback, options: [mixWithOthers]}
        strips:
          player: {ports: [left], routes: [main]}
          listen: {ports: [right], routes: [phones]}
      - {session: {category: playback, options: [mixWithOthers]}}
    """

  private func open(_ app: String, category: String = "playback", on house: House) async throws {
    try await house.call(
      "openSession",
      #"{"app":"\#(app)","category":"\#(category)","ports":["\#(app)-port:out"]}"#
    )
  }

  private func choose(_ route: String?, for session: String, on house: House) async throws {
    let route = route.map { #","route":"\#($0)""# } ?? ""
    try await house.call(
      "chooseRoute",
      #"{"session":"\#(session)"\#(route)}"#,
      connection: House.userConnection,
    )
  }

  private func outputs(of session: String, on house: House) async throws -> [SessionOutput] {
    let value = try await house.call("session", #"{"session":"\#(session)"}"#)
    let detail = try JSONDecoder().decode(SessionDetail.self, from: JSONEncoder().encode(value))
    return try #require(detail.outputs)
  }

  private func routes(_ strip: String, on house: House) async -> [String] {
    await house.status.sends.filter { $0.strip == strip }.map(\.route)
  }

  @Test func `VOL-4 a pick follows a renamed route, and a program leaves a route that is gone`()
    async throws
  {
    let renamed = Self.graph.replacing("  main: {", with: "  master: {was: main, ")
      .replacing("routes: [main]", with: "routes: [master]")
    let without =
      Self.graph
      .replacing(
        "  phones: {type: headphones, label: My headphones, ports: [system:playback_3, system:playback_4]}\n",
        with: ""
      )
      .replacing("      listen: {ports: [right], routes: [phones]}\n", with: "")
    try await House.with(Self.graph) { house in
      try await open("radio", on: house)
      try await choose("main", for: "radio", on: house)
      try await house.apply(renamed)
      #expect(await routes("radio", on: house) == ["master"])
      let outputs = try await outputs(of: "radio", on: house)
      #expect(outputs.filter(\.chosen).map(\.port.uid) == ["master"])
      #expect(outputs.map(\.port.uid).sorted() == ["master", "phones"])
    }
    try await House.with(Self.graph) { house in
      try await open("radio", on: house)
      #expect(await routes("radio", on: house) == ["phones"])
      try await house.apply(without)
      #expect(await routes("radio", on: house) == ["main"])
      #expect(try await self.outputs(of: "radio", on: house).map(\.port.uid) == ["main"])
    }
  }

  @Test func `VOL-4 a program plays where its user has picked, until the route goes`() async throws
  {
    try await House.with(Self.graph) { house in
      try await open("radio", on: house)
      #expect(await routes("radio", on: house) == ["phones"])
      try await choose("main", for: "radio", on: house)
      #expect(await routes("radio", on: house) == ["main"])
      let outputs = try await outputs(of: "radio", on: house)
      #expect(outputs.map(\.port.uid) == ["main", "phones"])
      #expect(outputs.map(\.port.name) == ["main", "My headphones"])
      #expect(outputs.map(\.inUse) == [true, false])
      #expect(outputs.map(\.chosen) == [true, false])
      #expect(outputs.map(\.reason) == [nil, nil])
      // It comes back on its route.
      try await house.call("closeSession", #"{"session":"radio"}"#)
      try await open("radio", on: house)
      #expect(await routes("radio", on: house) == ["main"])
      try await choose(nil, for: "radio", on: house)
      #expect(await routes("radio", on: house) == ["phones"])
      try await choose("main", for: "radio", on: house)
      try await house.call("simulate", #"{"event":"unplug","route":"main"}"#)
      #expect(await routes("radio", on: house) == ["phones"])
      try await house.call("simulate", #"{"event":"plug","route":"main"}"#)
      #expect(try await self.outputs(of: "radio", on: house).allSatisfy { !$0.chosen })
    }
  }

  @Test func `VOL-4 the picked route is a parameter, and is refused as the request is`()
    async throws
  {
    try await House.with(Self.graph) { house in
      try await open("radio", on: house)
      func pick(_ route: String, for session: String = "radio") async throws {
        try await house.call(
          "set",
          #"{"values":[{"path":"/session/\#(session)/route","value":"\#(route)"}]}"#,
          connection: House.userConnection,
        )
      }
      func picked() async throws -> [ParameterValue] {
        let value = try await house.call("get", #"{"paths":["/session/radio/route"]}"#)
        let data = try JSONEncoder().encode(value)
        return try JSONDecoder().decode(ParameterValues.self, from: data).values.map(\.value)
      }
      #expect(try await picked() == [.text("")])
      try await pick("main")
      #expect(await routes("radio", on: house) == ["main"])
      #expect(try await picked() == [.text("main")])
      #expect(try await outputs(of: "radio", on: house).map(\.chosen) == [true, false])
      try await pick("")
      #expect(await routes("radio", on: house) == ["phones"])
      #expect(try await picked() == [.text("")])
      for (session, route, reason) in [
        ("radio", "fones", "did you mean 'phones'"),
        ("host", "phones", "its sources go where the graph sends them"),
        ("telly", "phones", "there is no session 'telly'"),
      ] {
        let refusal = await #expect(throws: Refusal.self, "\(session) \(route)") {
          try await pick(route, for: session)
        }
        #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
      }
    }
  }

  @Test func `VOL-4 a route that cannot be used is refused with the reason`() async throws {
    try await House.with(Self.graph) { house in
      try await open("radio", on: house)
      try await open("memo", category: "record", on: house)
      try await house.call("simulate", #"{"event":"unplug","route":"main"}"#)
      let cases: [(session: String, route: String, reason: String)] = [
        ("radio", "main", "its ports are not there"),
        ("radio", "fones", "did you mean 'phones'"),
        ("memo", "phones", "category record has no output"),
        ("host", "phones", "its sources go where the graph sends them"),
        ("telly", "phones", "there is no session 'telly'"),
      ]
      for (session, route, reason) in cases {
        let refusal = await #expect(throws: Refusal.self, "\(session) \(route)") {
          try await choose(route, for: session, on: house)
        }
        #expect(refusal?.message.contains(reason) == true, "\(refusal?.message ?? "")")
      }
      #expect(await routes("radio", on: house) == ["phones"])
      #expect(try await outputs(of: "radio", on: house).first?.reason == "its ports are not there")
      #expect(
        try await outputs(of: "host", on: house).allSatisfy {
          $0.reason == "its sources go where the graph sends them"
        }
      )
    }
  }

  @Test func `VOL-4 an adopted client is moved too, until its user connects it by hand`()
    async throws
  {
    try await House.with(Self.graph) { house in
      await house.play { server in
        server.appear("mpv", outputs: ["left", "right"])
        server.connect("mpv:left", "system:playback_1")
        server.connect("mpv:right", "system:playback_2")
      }
      await house.advance(milliseconds: 5_000)
      #expect(await routes("mpv", on: house) == ["main"])
      try await choose("phones", for: "mpv", on: house)
      #expect(await routes("mpv", on: house) == ["phones"])
      #expect(house.server.connections(of: "mpv:left") == ["house:mpv_in_1"])
      await house.play { $0.connect("mpv:left", "system:playback_1") }
      #expect(await routes("mpv", on: house) == ["main"])
      await house.play { server in
        server.appear("decks", outputs: ["left", "right"])
        server.connect("decks:left", "system:playback_1")
      }
      let refusal = await #expect(throws: Refusal.self) {
        try await choose("main", for: "decks", on: house)
      }
      #expect(refusal?.message.contains("its strips have routes of their own") == true)
    }
  }
}
