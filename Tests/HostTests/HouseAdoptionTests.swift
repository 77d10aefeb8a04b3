// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Testing

@testable import Host

/// The clients that rules of the graph adopt.
struct HouseAdoptionTests {
  @Test(arguments: ["Deck", "Deck-01"])
  func `each instance of a program has its own fader again`(leaver: String) async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { server in
        server.start("Deck")
        server.start("Deck-01")
      }
      try await house.call("setGain", #"{"strip":"Deck","gainDB":-40}"#)
      try await house.call("setGain", #"{"strip":"Deck-01","gainDB":-3}"#)
      await house.play { $0.vanish(leaver) }
      await house.play { $0.start(leaver) }
      let gains = await house.status.strips.map { "\($0.id) \($0.gainDB)" }
      #expect(Set(gains) == ["Deck -40.0", "Deck-01 -3.0"])
    }
  }

  @Test(arguments: [["Deck", "Deck-01"], ["Deck-01", "Deck"]])
  func `of two instances that have both gone nobody is louder than he was`(order: [String])
    async throws
  {
    try await House.with(House.adoptionGraph) { house in
      await house.play { server in
        server.start("Deck")
        server.start("Deck-01")
      }
      try await house.call("setGain", #"{"strip":"Deck","gainDB":-40}"#)
      await house.play { server in for name in order { server.vanish(name) } }
      await house.play { server in for name in order { server.start(name) } }
      let gains = await house.status.strips.map { "\($0.id) \($0.gainDB)" }
      #expect(Set(gains) == ["Deck -40.0", "Deck-01 -40.0"])
    }
  }

  @Test func `a node of the graph has no session and no strip of its own`() async throws {
    let graph = House.adoptionGraph.replacing("sources: {}", with: "sources: {keys: {node: mpv}}")
    try await House.with(graph) { house in
      await house.play { $0.start("mpv") }
      #expect(await house.session("mpv") == nil)
      #expect(!house.server.list("house").contains { $0.name.hasPrefix("house:mpv_in") })
    }
  }

  @Test func `a program that comes back has its sends and its pan again`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("fixed") }
      try await house.call("setGain", #"{"strip":"fixed","route":"phones","gainDB":-20}"#)
      try await house.call("setMute", #"{"strip":"fixed","route":"phones","muted":true}"#)
      try await house.call("setPan", #"{"strip":"fixed","pan":-0.5}"#)
      await house.play { $0.vanish("fixed") }
      await house.play { $0.start("fixed") }
      let send = try #require(await house.status.sends.first)
      #expect(send.route == "phones" && send.gainDB == -20 && send.muted)
      #expect(await house.status.strips.first?.pan == -0.5)
    }
  }

  @Test func `a program is moved from the hardware to its strip`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      let server = house.server
      #expect(server.connections(of: "mpv:left") == ["house:mpv_in_1"])
      #expect(server.connections(of: "mpv:right") == ["house:mpv_in_2"])
      #expect(await house.session("mpv")?.strips == ["mpv"])
    }
  }

  @Test func `the connection of a program to its strip is no patch of a user`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      await house.advance(milliseconds: 5_000)
      #expect(await house.status.patches.isEmpty)
      await house.play { $0.connect("mpv:left", "system:playback_3") }
      #expect(await house.status.patches.isEmpty)
    }
  }

  @Test func `a program that is connected to nothing is adopted without a question about that`()
    async throws
  {
    try await House.with(House.adoptionGraph) { house in
      house.server.clearCalls()
      await house.play { $0.appear("mpv", outputs: ["left", "right"]) }
      #expect(await house.session("mpv") != nil)
      #expect(house.server.questionsBeforeCalls == 0)
    }
  }

  @Test func `INT-1 the strip is connected before the hardware is disconnected`() async throws {
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("recorder") }
      #expect(house.server.isConnected("recorder:left", "system:playback_1"))
      #expect(await house.session("recorder") == nil)
    }
  }

  @Test func `the session of a program ends with it, and its strip goes`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      await house.play { $0.vanish("mpv") }
      #expect(await house.session("mpv") == nil)
      #expect(await house.status.strips.map(\.id) == [])
    }
  }

  @Test func `a program that comes back has its fader again`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      try await house.call("setGain", #"{"strip":"mpv","gainDB":-12}"#)
      await house.play { $0.vanish("mpv") }
      await house.play { $0.start("mpv") }
      #expect(await house.status.strips.first?.gainDB == -12)
    }
  }

  @Test func `a program that comes back has its mute again`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      try await house.call("setMute", #"{"strip":"mpv","muted":true}"#)
      await house.play { $0.vanish("mpv") }
      await house.play { $0.start("mpv") }
      #expect(await house.status.strips.first?.muted == true)
    }
  }

  @Test func `a rule gives the first fader`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("voice") }
      #expect(await house.status.strips.first?.gainDB == -6)
    }
  }

  @Test func `a rule with routes decides where a program is heard`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("fixed") }
      #expect(await house.status.sends.map(\.route) == ["phones"])
      #expect(!house.server.isConnected("fixed:left", "system:playback_1"))
    }
  }

  @Test func `a program is heard where it connects itself`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { server in
        server.appear("mpv", outputs: ["left", "right"])
        server.connect("mpv:left", "system:playback_3")
        server.connect("mpv:right", "system:playback_4")
      }
      #expect(await house.status.sends.map(\.route) == ["phones"])
    }
  }

  @Test func `a user who patches a program elsewhere moves it there`() async throws {
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
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
    try await House.with(House.adoptionGraph) { house in
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
}
