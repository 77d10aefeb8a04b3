// SPDX-License-Identifier: MIT

import ControlProtocol
import Testing

@testable import Host

private let graph = """
  multiroute: 1
  name: house
  ramp: 5 ms
  session: {category: multiRoute, options: [mixWithOthers]}
  routes:
    main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
    phones: {type: headphones, ports: [system:playback_3]}
  sources:
    deck: {tone: {wave: sine}, channels: 2}
    mic: {input: true, channels: 1}
  mix:
    - {from: deck, to: main}
    - {from: mic, to: phones}
  """

/// A host to which something happens while it takes another version of its graph: a route is silent for that moment.
struct HouseMeanwhileTests {
  /// The phones are heard elsewhere.
  private static let rewired = graph.replacing("system:playback_3", with: "system:playback_4")

  private func isHeard(_ strip: String, of house: House) async -> Bool {
    await house.status.sends.contains { $0.strip == strip && $0.route == "phones" }
  }

  @Test func `a route is heard again where a session that played on it has ended meanwhile`()
    async throws
  {
    try await House.with(graph) { house in
      await house.play { $0.appear("game", outputs: ["l"]) }
      try await house.call(
        "openSession",
        #"{"app":"game","category":"playback","options":["mixWithOthers"],"ports":["game:*"]}"#,
      )
      try await house.call("setSend", #"{"strip":"game","route":"phones","gainDB":0}"#)
      _ = await house.events()
      var hasEnded = false
      try await house.apply(Self.rewired) { house in
        // The version is in force, and its route has not faded in yet.
        guard await house.host.run({ $0.inForce.version }) == 2, !hasEnded else { return }
        let isSilent = await !isHeard("mic", of: house)
        #expect(isSilent)
        try await house.call("closeSession", #"{"session":"game"}"#)
        hasEnded = true
      }
      #expect(hasEnded)
      #expect(await house.status.strips.map(\.id) == ["deck", "mic"])
      #expect(await isHeard("mic", of: house))
      #expect(await house.events().allSatisfy { $0.kind != .error })
    }
  }

  @Test func `a server that goes meanwhile leaves no route silent`() async throws {
    try await House.with(graph) { house in
      var hasDied = false
      var isRefused = false
      do {
        try await house.apply(Self.rewired) { house in
          // The version is not in force, and its route is fading out.
          guard !hasDied, await house.host.run({ $0.inForce.version }) == 1,
            await !isHeard("mic", of: house)
          else { return }
          hasDied = true
          await house.play { $0.die() }
        }
      } catch is HostError {
        isRefused = true
      }
      #expect(hasDied)
      await house.play { $0.comeBack() }
      await house.advance(milliseconds: 500)
      // Its end may be known before the route is silent, or after that.
      #expect(await house.host.run { $0.inForce.version } == (isRefused ? 1 : 2))
      #expect(await isHeard("mic", of: house))
    }
  }
}
