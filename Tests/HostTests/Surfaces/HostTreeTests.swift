// SPDX-License-Identifier: MIT

import ControlProtocol
import GraphFiles
import JACK
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

  @Test(arguments: [
    ("/simulate/silentSwitch", ParameterValue.flag(true)), ("/simulate/lock", .flag(true)),
    ("/simulate/microphoneMute", .flag(true)), ("/simulate/interruption/phone", .flag(true)),
    ("/simulate/interruption/alarm", .flag(true)), ("/simulate/unplug/main", .flag(true)),
    ("/session/music/active", .flag(true)),
  ])
  func `PRM-2 a surface in the user's hands sets what a surface on the network cannot`(
    path: String,
    value: ParameterValue,
  ) async throws {
    try await House.with(House.requestGraph) { house in
      try await house.call(
        "openSession",
        #"{"app":"music","category":"playback","ports":["m:out"]}"#
      )
      let setting = ParameterSetting(path: path, value: value)
      let network = await house.tree()
      let before = try await network.get([path])
      #expect(before != [setting])
      let gain = ParameterSetting(path: "/strip/deck-a/gain", value: .number(-20))
      let refusal = await #expect(throws: ControlError.self) {
        try await network.set([gain, setting], rampMilliseconds: nil)
      }
      #expect(refusal?.code == .refused)
      #expect(refusal?.message.contains("PRM-2") == true)
      // Nothing is half done.
      #expect(try await network.get([path]) == before)
      #expect(try await network.get([gain.path]) != [gain])
      let controller = await house.tree(role: .user)
      try await controller.set([setting], rampMilliseconds: nil)
      #expect(try await network.get([path]) == [setting])
      guard value == .flag(true) else { return }
      let off = ParameterSetting(path: path, value: .flag(false))
      try await controller.set([off], rampMilliseconds: nil)
      #expect(try await network.get([path]) == [off])
    }
  }

  @Test func `a display learns why a strip is silent, and of the latest fault`() async throws {
    try await House.with(House.requestGraph) { house in
      let tree = await house.tree()
      let why = "/strip/deck-a/why"
      let notice = "/host/notice"
      let known = try await tree.watch([why, notice, "/hardware"], echoes: false)
      #expect(known.contains { $0.path == "/hardware/sampleRate" })
      let muted = ParameterSetting(path: why, value: .text("Its strip 'deck-a' is muted."))
      #expect(!known.contains(muted))
      let mute = ParameterSetting(path: "/strip/deck-a/mute", value: .flag(true))
      try await tree.set([mute], rampMilliseconds: nil)
      await house.play { $0.presence?.tell(.xrun(delayMicroseconds: 500, frameTime: 1)) }
      await house.advance(milliseconds: 50)
      let seen = await Self.changes(of: [why, notice], tree, in: house)
      #expect(seen.contains(muted))
      let xruns = ParameterSetting(path: "/hardware/xruns", value: .number(1))
      #expect(seen.contains(xruns))
      #expect(seen.contains { $0.path == notice && "\($0.value)".contains("xrun") })
      #expect(try await tree.get([why]) == [muted])
      let others = [
        ParameterSetting(path: mute.path, value: .flag(false)),
        ParameterSetting(path: "/strip/deck-b/solo", value: .flag(true)),
      ]
      try await tree.set(others, rampMilliseconds: nil)
      let soloed = ParameterSetting(path: why, value: .text("Strip 'deck-b' is soloed."))
      #expect(try await tree.get([why]) == [soloed])
    }
  }

  @Test func `a surface that cannot watch is reported until it can`() async throws {
    try await House.with(House.requestGraph) { house in
      let host = house.host
      let tree = await host.run { rooms in
        rooms.surfaces.serve(
          ServedSurface(
            section: .xair,
            statuses: [SurfaceStatus(kind: "xair", port: 10_024, lan: false)],
          )
        )
        return rooms.surfaces.tree(of: host, as: "xair")
      }
      var others: [HostTree] = []
      for _ in 0..<ParameterRoom.watcherLimit {
        let other = await house.tree()
        _ = try await other.watch(["/crossfader"], echoes: false)
        others.append(other)
      }
      _ = await house.events()
      for _ in 0..<3 {
        await #expect(throws: ControlError.self) {
          try await tree.watch(["/strip"], echoes: true)
        }
      }
      let fault = try #require(await house.status.surfaces.first?.fault)
      #expect(fault.contains("\(ParameterRoom.watcherLimit)"))
      let events = await house.events().filter { $0.kind == .error }
      #expect(events.map(\.message) == ["xair: changes are not shown there: \(fault)"])
      await others[0].close()
      #expect(try await !tree.watch(["/strip"], echoes: true).isEmpty)
      #expect(await house.status.surfaces.first?.fault == nil)
    }
  }

  /// The changes that a surface gets until it has one of each path.
  private static func changes(
    of paths: [String],
    _ tree: HostTree,
    in house: House,
  ) async -> [ParameterSetting] {
    // A change that comes while another one is compared is told a fold later.
    let time = Task { while !Task.isCancelled { await house.advance(milliseconds: 50) } }
    defer { time.cancel() }
    var seen: [ParameterSetting] = []
    for await news in tree.news {
      guard case .parameters(let parameters) = news else { continue }
      seen += parameters.changes
      let isComplete = paths.allSatisfy { path in seen.contains { $0.path == path } }
      if isComplete { break }
    }
    return seen
  }
}

extension House {
  /// A surface of the host.
  func tree(role: ClientRole = .app) async -> HostTree {
    let host = host
    return await host.run { $0.surfaces.tree(of: host, role: role) }
  }
}
