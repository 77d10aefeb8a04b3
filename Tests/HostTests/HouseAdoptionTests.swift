// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Testing

@testable import Host

/// A server on which every program is adopted, but for recorders.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
  sources: {}
  mix: []
  adopt:
    - {client: /rec.*/, leave: true}
    - {client: voice, session: {category: playback, options: [duckOthers]}, gain: -6 dB}
    - {client: fixed, session: {category: playback, options: [mixWithOthers]}, routes: [phones]}
    - {client: /call.*/, session: {category: playback}}
    - {session: {category: playback, options: [mixWithOthers]}}
  """

extension ScriptedServer {
  /// A stereo program comes, and connects itself to the first two outputs of the card.
  fileprivate func start(_ client: String) {
    appear(client, outputs: ["left", "right"])
    connect("\(client):left", "system:playback_1")
    connect("\(client):right", "system:playback_2")
  }
}

extension House {
  /// The session of a client, as `status` has it.
  fileprivate func session(_ app: String) async -> SessionStatus? {
    await status.sessions.first { $0.app == app }
  }
}

/// The clients that rules of the graph adopt.
struct HouseAdoptionTests {
  @Test func `a program is moved from the hardware to its strip`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      let server = house.server
      #expect(server.connections(of: "mpv:left") == ["house:mpv_in_1"])
      #expect(server.connections(of: "mpv:right") == ["house:mpv_in_2"])
      #expect(await house.session("mpv")?.strips == ["mpv"])
    }
  }

  @Test func `the connection of a program to its strip is no patch of a user`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      await house.advance(milliseconds: 5_000)
      #expect(await house.status.patches.isEmpty)
      await house.play { $0.connect("mpv:left", "system:playback_3") }
      #expect(await house.status.patches.isEmpty)
    }
  }

  @Test func `INT-1 the strip is connected before the hardware is disconnected`() async throws {
    try await House.with(graph) { house in
      house.server.clearCalls()
      await house.play { $0.start("mpv") }
      let calls = house.server.calls
      let connected = try #require(
        calls.firstIndex(of: "connect mpv:left house:mpv_in_1")
      )
      let disconnected = try #require(
        calls.firstIndex(of: "disconnect mpv:left system:playback_1")
      )
      #expect(connected < disconnected)
    }
  }

  @Test func `INT-1 the input of a strip is shut while its program is heard directly`() async throws
  {
    try await House.with(graph) { house in
      await house.play { server in
        server.appear("mpv", outputs: ["left"])
        server.connect("mpv:left", "system:playback_1")
      }
      // Once moved, one connection is left: the strip's own.
      let limit = house.server.presence?.watchedInputs["mpv 0"]
      #expect(limit == nil || limit == 1)
    }
  }

  @Test func `a program that a rule leaves alone keeps its connections`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("recorder") }
      #expect(house.server.isConnected("recorder:left", "system:playback_1"))
      #expect(await house.session("recorder") == nil)
    }
  }

  @Test func `the session of a program ends with it, and its strip goes`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      await house.play { $0.vanish("mpv") }
      #expect(await house.session("mpv") == nil)
      #expect(await house.status.strips.map(\.id) == [])
    }
  }

  @Test func `a program that comes back has its fader again`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      try await house.call("setGain", #"{"strip":"mpv","gainDB":-12}"#)
      await house.play { $0.vanish("mpv") }
      await house.play { $0.start("mpv") }
      #expect(await house.status.strips.first?.gainDB == -12)
    }
  }

  @Test func `a program that comes back has its mute again`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      try await house.call("setMute", #"{"strip":"mpv","muted":true}"#)
      await house.play { $0.vanish("mpv") }
      await house.play { $0.start("mpv") }
      #expect(await house.status.strips.first?.muted == true)
    }
  }

  @Test func `a rule gives the first fader`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("voice") }
      #expect(await house.status.strips.first?.gainDB == -6)
    }
  }

  @Test func `a rule with routes decides where a program is heard`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("fixed") }
      #expect(await house.status.sends.map(\.route) == ["phones"])
      #expect(!house.server.isConnected("fixed:left", "system:playback_1"))
    }
  }

  @Test func `a program is heard where it connects itself`() async throws {
    try await House.with(graph) { house in
      await house.play { server in
        server.appear("mpv", outputs: ["left", "right"])
        server.connect("mpv:left", "system:playback_3")
        server.connect("mpv:right", "system:playback_4")
      }
      #expect(await house.status.sends.map(\.route) == ["phones"])
    }
  }

  @Test func `a user who patches a program elsewhere moves it there`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      await house.advance(milliseconds: 5_000)
      await house.play { server in
        server.connect("mpv:left", "system:playback_3")
        server.connect("mpv:right", "system:playback_4")
      }
      #expect(await house.status.sends.map(\.route) == ["phones"])
      #expect(house.server.connections(of: "mpv:left") == ["house:mpv_in_1"])
    }
  }

  @Test func `connections to other programs are left alone`() async throws {
    try await House.with(graph) { house in
      await house.play { server in
        server.start("mpv")
        server.appear("scope", inputs: ["in"])
        server.connect("mpv:left", "scope:in")
      }
      #expect(house.server.isConnected("mpv:left", "scope:in"))
    }
  }

  @Test
  func `a program that has no output any more loses its session, one with inputs only gets none`()
    async throws
  {
    try await House.with(graph) { house in
      await house.play { $0.appear("scope", inputs: ["in"]) }
      #expect(await house.session("scope") == nil)
      await house.play { $0.start("mpv") }
      await house.play { server in
        server.unregister("mpv:left")
        server.unregister("mpv:right")
      }
      #expect(await house.session("mpv") == nil)
    }
  }

  @Test func `a further output of a program widens its strip`() async throws {
    try await House.with(graph) { house in
      await house.play { server in
        server.appear("synth", outputs: ["out_1"])
        server.connect("synth:out_1", "system:playback_1")
      }
      #expect(house.server.isConnected("synth:out_1", "house:synth_in_1"))
      await house.play { server in
        server.register("synth:out_2", .output)
        server.connect("synth:out_2", "system:playback_2")
      }
      #expect(house.server.isConnected("synth:out_2", "house:synth_in_2"))
      #expect(house.server.connections(of: "synth:out_2") == ["house:synth_in_2"])
    }
  }

  @Test func `two programs of one name have strips of their own`() async throws {
    try await House.with(graph) { house in
      await house.play { server in
        server.start("mpv")
        server.start("mpv-01")
      }
      let strips = await house.status.strips.map(\.id)
      #expect(Set(strips).count == 2)
      #expect(house.server.connections(of: "mpv-01:left").allSatisfy { $0.hasPrefix("house:") })
    }
  }

  @Test func `a hundred programs that come in one moment are all moved`() async throws {
    try await House.with(graph) { house in
      await house.play { server in for number in 1...100 { server.start("app\(number)") } }
      for number in 1...100 {
        #expect(
          house.server.connections(of: "app\(number):left") == ["house:app\(number)_in_1"]
        )
      }
      #expect(await house.status.sessions.count == 101)
    }
  }

  @Test func `INT-1 a program that insists on the hardware is given way to in the end`()
    async throws
  {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      _ = await house.events()
      for _ in 1...25 { await house.play { $0.connect("mpv:left", "system:playback_1") } }
      #expect(await house.kinds().count { $0 == "gaveWay" } == 1)
      #expect(house.server.isConnected("mpv:left", "system:playback_1"))
    }
  }

  @Test func `hardware that no route names is reported, and left alone`() async throws {
    try await House.with(graph) { house in
      await house.play { server in
        server.register("usb:out_1", [.input, .physical])
        server.appear("mpv", outputs: ["left"])
        server.connect("mpv:left", "usb:out_1")
      }
      #expect(house.server.isConnected("mpv:left", "usb:out_1"))
      #expect(await house.session("mpv")?.direct == ["usb:out_1"])
    }
  }

  @Test func `ACT-3 a voice ducks the others, and lets go with its end`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      await house.play { $0.start("voice") }
      #expect(await house.session("mpv")?.duckedBy == ["voice"])
      await house.play { $0.vanish("voice") }
      #expect(await house.session("mpv")?.duckedBy == [])
    }
  }

  @Test func `ACT-2 a session that does not mix interrupts another of its kind`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("call-1") }
      await house.play { $0.start("call-2") }
      #expect(await house.session("call-1")?.interruptedBy == .session("call-2"))
      #expect(await house.session("call-2")?.interruptedBy == nil)
      await house.play { $0.vanish("call-2") }
      #expect(await house.session("call-1")?.interruptedBy == nil)
    }
  }

  @Test(arguments: [false, true])
  func `a sink is no program, in whichever order its ports come`(monitorsFirst: Bool) async throws {
    try await House.with(graph) { house in
      await house.play { server in
        if monitorsFirst { server.register("virt:monitor_FL", .output) }
        server.register("virt:playback_FL", [.input, .physical, .terminal])
        if !monitorsFirst { server.register("virt:monitor_FL", .output) }
      }
      #expect(await house.session("virt") == nil)
    }
  }

  @Test func `a client that a route plays to is no program`() async throws {
    let graph = graph.replacing("[system:playback_3, system:playback_4]", with: #"["sink:in"]"#)
    try await House.with(graph) { house in
      await house.play { $0.appear("sink", outputs: ["monitor"], inputs: ["in"]) }
      #expect(house.server.isConnected("house:phones_out_1", "sink:in"))
      #expect(await house.session("sink") == nil)
    }
  }

  @Test func `case does not matter where nothing else differs`() async throws {
    try await House.with(graph) { house in
      await house.play { $0.start("Mixxx") }
      try await house.call("setGain", #"{"strip":"mixxx","gainDB":-7}"#)
      #expect(await house.status.strips.first { $0.id == "Mixxx" }?.gainDB == -7)
      let why = try await house.call("why", #"{"app":"MIXXX"}"#)
      #expect(why["sessions"] != .array([]))
      let refusal = await #expect(throws: Refusal.self) {
        try await house.call("setGain", #"{"strip":"mixx","gainDB":0}"#)
      }
      #expect(refusal?.message.contains("did you mean 'Mixxx'?") == true)
    }
  }

  @Test func `a route whose ports have other names here says which line to write`() async throws {
    let graph = graph.replacing(
      "[system:playback_1, system:playback_2]",
      with: #"["Desk:playback_FL", "Desk:playback_FR"]"#,
    )
    let house = try House(graph)
    try await house.host.live()
    await house.settle()
    let messages = await house.events().map(\.message)
    let line = #"ports: ["system:playback_1", "system:playback_2"]"#
    #expect(messages.contains { $0.hasPrefix("route 'main' waits") && $0.contains(line) })
    await house.end()
  }

  @Test func `all programs are back at the hardware when the host ends`() async throws {
    let house = try House(graph)
    try await house.host.live()
    await house.settle()
    await house.play { $0.start("mpv") }
    await house.end()
    #expect(house.server.isConnected("mpv:left", "system:playback_1"))
    #expect(house.server.isConnected("mpv:right", "system:playback_2"))
  }

  @Test func `a program that was there before the host is taken over where it is heard`()
    async throws
  {
    let before: (ScriptedServer) -> Void = { server in
      server.appear("mpv", outputs: ["left", "right"])
      server.connect("mpv:left", "system:playback_3")
      server.connect("mpv:right", "system:playback_4")
    }
    try await House.with(graph, before) { house in
      #expect(await house.status.sends.map(\.route) == ["phones"])
      #expect(house.server.connections(of: "mpv:left") == ["house:mpv_in_1"])
    }
  }

  @Test func `INT-5 a guard hears of an interrupted player without waiting for the timer`()
    async throws
  {
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      await house.advance(milliseconds: 50)
      let ports = house.guardian.received.last?.placements.map(\.port)
      #expect(ports == ["mpv:left", "mpv:right"])
      // The state of the player is kept 40 ms later: a host that dies then must not have the old orders.
      try await house.call("simulate", #"{"event":"interruptionBegin","priorityClass":"phone"}"#)
      #expect(house.guardian.received.last?.placements == [])
    }
  }
}
