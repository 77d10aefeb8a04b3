// SPDX-License-Identifier: MIT

import ControlProtocol
import Surfaces
import Testing

@testable import Host

/// The tree of parameters as surfaces inside the host use it.
@Suite(.timeLimit(.minutes(1)))
struct HostTreeTests {
  @Test func `a surface sets and reads parameters, and hears of others' changes and of events`()
    async throws
  {
    try await House.with(House.requestGraph) { house in
      let tree = await house.tree()
      let pan = ParameterSetting(path: "/strip/deck-a/pan", value: .number(0.5))
      let fader = "/strip/deck-a/gain"
      let known = try await tree.watch(["/strip/deck-a"], echoes: false)
      #expect(known.contains(ParameterSetting(path: fader, value: .number(0))))
      try await tree.set([pan], rampMilliseconds: nil)
      #expect(try await tree.get([pan.path]) == [pan])
      try await house.call("setGain", #"{"strip":"deck-a","gainDB":-6}"#)
      await house.advance(milliseconds: 50)
      var changes: [ParameterSetting] = []
      for await news in tree.news {
        guard case .parameters(let news) = news else { continue }
        changes += news.changes
        if changes.contains(where: { $0.path == fader }) { break }
      }
      #expect(changes == [ParameterSetting(path: fader, value: .number(-6))], "no echo of its own")
      await tree.close()
      for await _ in tree.news {}
    }
  }

  @Test func `each surface has a connection of its own, and faults are told`() async throws {
    try await House.with(House.requestGraph) { house in
      let first = await house.tree()
      let second = await house.tree()
      _ = try await first.watch(["/crossfader"], echoes: false)
      let position = ParameterSetting(path: "/crossfader/position", value: .number(-1))
      try await second.set([position], rampMilliseconds: 0)
      for await case .parameters(let news) in first.news {
        #expect(news.changes == [position])
        break
      }
      let error = await #expect(throws: ControlError.self) {
        try await second.set(
          [ParameterSetting(path: "/strip/nobody/gain", value: .number(0))],
          rampMilliseconds: nil,
        )
      }
      #expect(error?.data?.place != nil)
    }
  }

  @Test func `the transport is started, moved and watched through the tree`() async throws {
    try await House.with(House.requestGraph) { house in
      let tree = await house.tree()
      let known = try await tree.watch(["/transport"], echoes: false)
      #expect(known.map(\.path) == ["/transport/position", "/transport/rolling"])
      let settings = [
        ParameterSetting(path: "/transport/rolling", value: .flag(true)),
        ParameterSetting(path: "/transport/position", value: .number(1.5)),
      ]
      try await tree.set(settings, rampMilliseconds: nil)
      await house.play { server in
        #expect(server.isTransportRolling)
        #expect(server.transportFrame == 72_000)
        server.transportFrame = 96_000
        server.beat = "2.1.0"
      }
      await house.advance(milliseconds: 100)
      var seen: [String: ParameterValue] = [:]
      for await case .parameters(let news) in tree.news {
        for change in news.changes { seen[change.path] = change.value }
        if seen["/transport/beat"] != nil { break }
      }
      #expect(seen["/transport/position"] == .number(2))
      #expect(seen["/transport/beat"] == .text("2.1.0"))
      #expect(seen["/transport/rolling"] == nil, "no echo of its own")
      await tree.close()
    }
  }
}

extension House {
  /// A surface of the host.
  func tree() async -> HostTree {
    let host = host
    return await host.run { $0.surfaces.tree(of: host) }
  }
}
