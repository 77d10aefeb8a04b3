// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import Testing

@testable import Host

/// Versions of the graph that ask for a JACK server with other settings.
struct HouseServerApplyTests {
  private static let graph = """
    multiroute: 1
    name: house
    ramp: 5 ms
    session: {category: multiRoute, options: [mixWithOthers]}
    server: {name: one, driver: dummy}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    sources:
      deck: {tone: {wave: sine}, channels: 2}
      guide: {tone: {}, session: {category: playback, options: [mixWithOthers]}}
    mix:
      - {from: deck, to: main}
      - {from: guide, to: main}

    """

  private static let other =
    graph.replacing("{name: one, driver: dummy}", with: "{name: two, driver: dummy}")
    .replacing("  - {from: guide, to: main}\n", with: "  - {from: guide, to: main, gain: -3 dB}\n")

  @Test func `the host goes over to the other server, with its sessions and what was set by hand`()
    async throws
  {
    try await House.with(Self.graph) { house in
      try await house.call("setGain", #"{"strip":"deck","gainDB":-7}"#)
      try await house.call("setGain", #"{"route":"main","gainDB":-2}"#)
      let openings = house.server.openings
      let sessions = await house.status.sessions.map(\.id)
      try await house.apply(Self.other)
      await house.advance(milliseconds: 100)
      let status = await house.status
      #expect(house.server.openings == openings + 1)
      #expect(status.server.name == "two" && status.server.state == .running)
      #expect(status.server.restarts == 1)
      #expect(status.sessions.map(\.id) == sessions)
      #expect(status.strips.first { $0.id == "deck" }?.gainDB == -7)
      #expect(status.routes.first { $0.name == "main" }?.gainDB == -2)
      #expect(status.sends.first { $0.strip == "guide" }?.gainDB == -3)
      let now = await house.picture()
      try await House.with(Self.other) { fresh in
        try await fresh.call("setGain", #"{"strip":"deck","gainDB":-7}"#)
        try await fresh.call("setGain", #"{"route":"main","gainDB":-2}"#)
        await fresh.advance(milliseconds: 100)
        #expect(now.differences(from: await fresh.picture()) == [])
      }
    }
  }

  @Test func `a server that is not there is refused, and the host is back on its own`()
    async throws
  {
    try await House.with(Self.graph) { house in
      try await house.call("setGain", #"{"route":"main","gainDB":-2}"#)
      let before = await house.picture()
      await house.play { $0.absentServers = ["two"] }
      let error = await #expect(throws: HostError.self) { try await house.apply(Self.other) }
      #expect(error?.description.contains("\"two\"") == true)
      await house.advance(milliseconds: 100)
      let status = await house.status
      #expect(status.server.name == "one" && status.server.state == .running)
      #expect(await house.picture().differences(from: before) == [])
      #expect(await house.host.run { $0.inForce.version } == 1)
    }
  }

  @Test func `a version that fails on the new server takes the host back to the one before`()
    async throws
  {
    try await House.with(Self.graph) { house in
      let before = await house.picture()
      await house.play { $0.refusedPorts = ["house:extra_in_1"] }
      let text = Self.other.replacing("mix:\n", with: "  extra: {tone: {}}\nmix:\n")
      await #expect(throws: HostError.self) { try await house.apply(text) }
      await house.advance(milliseconds: 100)
      #expect(await house.status.server.name == "one")
      #expect(await house.picture().differences(from: before) == [])
    }
  }
}
