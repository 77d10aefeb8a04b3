// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK
import Testing

@testable import Host

/// Ports that get other names while a program plays.
struct HouseRenameTests {
  @Test func `a renamed program is heard on, and once`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      await house.advance(milliseconds: 5_000)
      await house.play { server in
        server.rename("mpv:left", to: "mpv:l")
        server.rename("mpv:right", to: "mpv:r")
      }
      #expect(house.server.connections(of: "mpv:l") == ["house:mpv_in_1"])
      let session = try #require(await house.session("mpv"))
      #expect(session.active && session.connected)
      await house.play { $0.connect("mpv:l", "system:playback_1") }
      #expect(house.server.connections(of: "mpv:l") == ["house:mpv_in_1"])
      #expect(house.server.connections(of: "mpv:r") == ["house:mpv_in_2"])
      #expect(!house.server.list("house").contains { $0.name == "house:mpv_in_3" })
    }
  }

  @Test func `names that are changed twice before the first report are followed`() async throws {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.start("mpv") }
      await house.play { server in
        server.hold()
        server.rename("mpv:left", to: "mpv:a")
        server.rename("mpv:a", to: "mpv:b")
        server.release()
      }
      #expect(house.server.connections(of: "mpv:b") == ["house:mpv_in_1"])
      #expect(await house.session("mpv")?.connected == true)
    }
  }

  @Test func `an output that takes the name of one that has gone leaves the others their channels`()
    async throws
  {
    try await House.with(House.adoptionGraph) { house in
      await house.play { $0.appear("fixed", outputs: ["a", "b", "c"]) }
      await house.play { $0.unregister("fixed:c") }
      await house.play { $0.rename("fixed:a", to: "fixed:c") }
      #expect(house.server.connections(of: "fixed:b") == ["house:fixed_in_2"])
      #expect(house.server.connections(of: "fixed:c") == ["house:fixed_in_3"])
    }
  }
}
