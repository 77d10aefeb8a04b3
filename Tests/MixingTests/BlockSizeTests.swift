// SPDX-License-Identifier: MIT

import Mixing
import Realtime
import Testing

@Suite("Block sizes")
struct BlockSizeTests {
  /// Changes that overlap each other, with fades in both shapes and a limiter at work.
  private let changes: [OfflineRenderer.Change] = [
    .init(atFrame: 0) { try $0.setFader(strip: "0", decibels: -20, fade: .frames(3000)) },
    .init(atFrame: 700) { try $0.setGate(strip: "0", isOpen: false, fade: .frames(1000)) },
    .init(atFrame: 1100) {
      try $0.setDuck(strip: "1", decibels: -14, fade: .frames(2500, shape: .exponential))
    },
    .init(atFrame: 1234) { try $0.setCrossfader(position: 0.7, fade: .frames(777)) },
    .init(atFrame: 2001) { try $0.setGate(strip: "0", isOpen: true, fade: .frames(333)) },
    .init(atFrame: 2500) { try $0.setSend(strip: "2", route: "b", decibels: -3) },
    .init(atFrame: 3000) { try $0.setRouteGain(route: "a", decibels: 6, fade: .frames(1)) },
    .init(atFrame: 3500) { try $0.setPan(strip: "1", pan: -0.5) },
    .init(atFrame: 4100) { try $0.setSolo(strip: "1", isSoloed: true) },
    .init(atFrame: 4800) { try $0.setFader(strip: "1", decibels: -.infinity, fade: .none) },
  ]

  private func render(blockFrames: Int, lookahead: Int) throws -> [[Float]] {
    var spec = MixSpec(
      strips: (0..<3).map {
        StripSpec(id: "\($0)", channels: 2, crossfaderSide: $0 == 2 ? .none : $0 == 0 ? .a : .b)
      },
      routes: ["a", "b"].map { RouteSpec(id: $0, channels: 2) },
      sends: (0..<3).map { SendSpec(strip: "\($0)", route: "a") },
    )
    spec.routes[0].limiter = LimiterSpec(ceilingDB: -3, lookaheadFrames: lookahead)
    spec.sends.append(SendSpec(strip: "1", route: "b", gainDB: -4))
    var renderer = try OfflineRenderer(spec, blockFrames: blockFrames)
    let inputs = (0..<6).map { noise(UInt64($0), 6000) }
    return try renderer.render(inputs: inputs, frames: 6000, changes: changes)
  }

  @Test("the result does not depend on them", arguments: [0, 48])
  func independence(lookahead: Int) throws {
    let reference = try render(blockFrames: 1, lookahead: lookahead)
    #expect(reference.joined().contains { $0 != 0 })
    for blockFrames in [0, 7, 64, 100, 1024, 6000] {
      let output = try render(blockFrames: blockFrames, lookahead: lookahead)
      #expect(largestDifference(reference, output) < 2e-6)
    }
  }
}
