// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Testing

@testable import Host

/// Sessions of adopted clients, and the beginning and the end of a host with them.
struct HouseAdoptionSessionTests {
  @Test func `two programs of one name have strips of their own`() async throws {
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
      await house.play { server in for number in 1...100 { server.start("app\(number)") } }
      for number in 1...100 {
        #expect(
          house.server.connections(of: "app\(number):left") == ["house:app\(number)_in_1"]
        )
      }
      #expect(await house.status.sessions.count == 101)
    }
  }

  @Test(arguments: [20, 21, 64, 65, 130])
  func `INT-1 all outputs of a program are under control, however many`(count: Int) async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { server in
        server.appear("daw", outputs: (1...count).map { "out_\($0)" })
        for number in 1...count {
          server.connect("daw:out_\(number)", "system:playback_\(number % 2 + 1)")
        }
      }
      for number in 1...count {
        #expect(house.server.connections(of: "daw:out_\(number)") == ["house:daw_in_\(number)"])
      }
      #expect(await !house.kinds().contains("gaveWay"))
    }
  }

  @Test func `INT-1 a program that insists on the hardware is given way to in the end`()
    async throws
  {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      _ = await house.events()
      for _ in 1...25 { await house.play { $0.connect("mpv:left", "system:playback_1") } }
      #expect(await house.kinds().count { $0 == "gaveWay" } == 1)
      #expect(house.server.isConnected("mpv:left", "system:playback_1"))
    }
  }

  @Test func `hardware that no route names is reported, and left alone`() async throws {
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      await house.play { $0.start("voice") }
      #expect(await house.session("mpv")?.duckedBy == ["voice"])
      await house.play { $0.vanish("voice") }
      #expect(await house.session("mpv")?.duckedBy == [])
    }
  }

  @Test func `ACT-2 a session that does not mix interrupts another of its kind`() async throws {
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
      await house.play { server in
        if monitorsFirst { server.register("virt:monitor_FL", .output) }
        server.register("virt:playback_FL", [.input, .physical, .terminal])
        if !monitorsFirst { server.register("virt:monitor_FL", .output) }
      }
      #expect(await house.session("virt") == nil)
    }
  }

  @Test func `a client that a route plays to is no program`() async throws {
    let graph = House.adoptionGraph.replacing(
      "[system:playback_3, system:playback_4]",
      with: #"["sink:in"]"#
    )
    try await House.with(graph) { house in
      await house.play { $0.appear("sink", outputs: ["monitor"], inputs: ["in"]) }
      #expect(house.server.isConnected("house:phones_out_1", "sink:in"))
      #expect(await house.session("sink") == nil)
    }
  }

  @Test func `case does not matter where nothing else differs`() async throws {
    try await House.with(House.adoptionGraph) { house in
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
    let graph = House.adoptionGraph.replacing(
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
    let house = try House(House.adoptionGraph)
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
    try await House.with(House.adoptionGraph, before) { house in
      #expect(await house.status.sends.map(\.route) == ["phones"])
      #expect(house.server.connections(of: "mpv:left") == ["house:mpv_in_1"])
    }
  }

  @Test func `INT-5 a guard hears of an interrupted player without waiting for the timer`()
    async throws
  {
    try await House.with(House.adoptionGraph) { house in
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
