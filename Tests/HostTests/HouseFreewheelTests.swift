// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Testing

@testable import Host

/// Programs that come, and captures that are cut, while JACK freewheels: jackd2 then undoes all of it, and tells nobody.
struct HouseFreewheelTests {
  @Test func `a program that is patched during an export is on its strip after it`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      await house.play { server in
        server.freewheel(true)
        server.disconnect("mpv:left", "house:mpv_in_1")
      }
      await house.play { $0.connect("mpv:left", "system:playback_1") }
      await house.play { $0.freewheel(false) }
      await house.advance(milliseconds: 500)
      #expect(house.server.connections(of: "mpv:left") == ["house:mpv_in_1"])
      #expect(house.server.connections(of: "mpv:right") == ["house:mpv_in_2"])
      #expect(await house.session("mpv")?.connected == true)
      await house.advance(milliseconds: 3_000)
      #expect(await house.status.patches.isEmpty, "what the server did is no act of a user")
    }
  }

  @Test func `ports that an export has cost are left alone, and the host makes its own anew`()
    async throws
  {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.freewheel(true) }
      await house.play { $0.start("fixed") }
      let openings = house.server.openings
      await house.play { $0.freewheel(false) }
      await house.advance(milliseconds: 2_000)
      #expect(!house.server.hasCrashed)
      #expect(house.server.openings == openings + 1)
      #expect(await house.events().contains { $0.message.contains("JACK has lost it") })
      // The strips of before are whole again.
      await house.play { $0.start("mpv") }
      #expect(house.server.connections(of: "mpv:left") == ["house:mpv_in_1"])
      await house.play { $0.vanish("fixed") }
      await house.play { $0.start("fixed") }
      #expect(house.server.connections(of: "fixed:left") == ["house:fixed_in_1"])
    }
  }

  @Test func `PRM-1 a capture that was cut during an export is cut again after it`() async throws {
    let graph = House.adoptionGraph.replacing("default: granted", with: "default: denied")
    try await House.with(graph) { house in
      await house.play { server in
        server.appear("recorder", inputs: ["in"])
        server.connect("system:capture_1", "recorder:in")
        // The host hears of the connection when JACK has noted it already.
        server.freewheel(true)
      }
      await house.play { $0.freewheel(false) }
      await house.advance(milliseconds: 500)
      #expect(!house.server.isConnected("system:capture_1", "recorder:in"))
    }
  }
}
