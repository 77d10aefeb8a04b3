// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

/// A server with a radio and a navigation.
private let graph = """
  multiroute: 1
  name: house
  session: {category: multiRoute, options: [mixWithOthers]}
  permissions: {default: granted}
  routes:
    main: {type: lineOut, ports: [system:playback_1]}
  sources: {}
  mix: []
  adopt:
    - {client: guide, session: {preset: navigation}}
    - {client: web, session: {preset: browser}}
    - {session: {preset: player}}
  """

extension House {
  /// A program comes, and connects itself to the card.
  fileprivate func start(_ client: String) async {
    await play { server in
      server.appear(client, outputs: ["out"])
      server.connect("\(client):out", "system:playback_1")
    }
  }

  /// The named strips have a signal from now on.
  fileprivate func sound(_ strips: Set<String>) async {
    await play { $0.presence?.soundingStrips = strips }
  }
}

/// Adopted clients whose sessions follow their sound.
struct HousePromptTests {
  @Test func `ACT-9 a prompt that is connected for long ducks only while it sounds`() async throws {
    try await House.with(graph) { house in
      await house.start("radio")
      await house.start("guide")
      await house.advance(milliseconds: 5_000)
      #expect(await house.session("radio")?.duckedBy == [])
      for _ in 1...2 {
        await house.sound(["guide"])
        await house.advance(milliseconds: 100)
        #expect(await house.session("radio")?.duckedBy == ["guide"])
        // A pause of speech.
        await house.sound([])
        await house.advance(milliseconds: 1_000)
        #expect(await house.session("radio")?.duckedBy == ["guide"])
        await house.advance(milliseconds: 1_500)
        #expect(await house.session("radio")?.duckedBy == [])
        #expect(await house.session("guide")?.active == false)
      }
    }
  }

  @Test func `ACT-9 a prompt takes hold again after a call`() async throws {
    try await House.with(graph) { house in
      await house.start("radio")
      await house.start("guide")
      await house.sound(["guide"])
      await house.advance(milliseconds: 100)
      #expect(await house.session("guide")?.active == true)
      let call = #""priorityClass":"phone""#
      try await house.call("simulate", #"{"event":"interruptionBegin",\#(call)}"#)
      #expect(await house.session("guide")?.active == false)
      await house.sound([])
      try await house.call("simulate", #"{"event":"interruptionEnd",\#(call)}"#)
      await house.advance(milliseconds: 500)
      #expect(await house.session("guide")?.active == false)
      await house.sound(["guide"])
      await house.advance(milliseconds: 100)
      #expect(await house.session("guide")?.active == true)
      #expect(await house.session("radio")?.duckedBy == ["guide"])
    }
  }

  @Test func `VOL-3 a key reaches the player that sounds, and not the one that has fallen silent`()
    async throws
  {
    try await House.with(graph) { house in
      await house.start("radio")
      await house.start("mpv")
      await house.sound(["radio"])
      await house.advance(milliseconds: 10_000)
      _ = await house.events()
      try await house.call("remoteCommand", #"{"command":"pause"}"#)
      let reached = await house.events().filter { $0.message.contains("remote-control command") }
      #expect(reached.count == 1)
      #expect(reached.first?.message.contains("(radio)") == true)
    }
  }

  @Test func `VOL-2 a speed that is not given is refused`() async throws {
    try await House.with(graph) { house in
      await house.start("radio")
      await #expect(throws: ControlError.self) {
        try await house.call("remoteCommand", #"{"command":"rate","seconds":1.5}"#)
      }
      try await house.call("remoteCommand", #"{"command":"rate","rate":1.5}"#)
    }
  }
}
