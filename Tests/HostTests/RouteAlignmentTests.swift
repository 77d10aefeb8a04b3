// SPDX-License-Identifier: MIT

import GraphFiles
import Testing

@testable import Host

struct RouteAlignmentTests {
  private func align(
    _ routes: [(name: String, way: GraphFile.Route.Alignment, latency: Int)]
  ) -> [String: RouteAlignment.Outcome] {
    RouteAlignment.align(
      routes.map { .init(name: $0.name, alignment: $0.way, latencyFrames: $0.latency) },
      sampleRateHz: 48_000,
      longestDelayFrames: 24_000,
    )
  }

  @Test func `the fast routes are delayed to the slowest of those that are automatic`() {
    let outcomes = align([
      ("a", .automatic, 256), ("b", .automatic, 1_000), ("c", .free, 9_000),
    ])
    #expect(outcomes["a"] == .init(delayFrames: 744, errorFrames: 0))
    #expect(outcomes["b"] == .init(delayFrames: 0, errorFrames: 0))
    #expect(outcomes["c"] == .init(delayFrames: 0, errorFrames: nil))
  }

  @Test func `a delay by hand is reported with its error`() {
    let outcomes = align([("a", .automatic, 1_000), ("b", .delay(.milliseconds(10)), 256)])
    #expect(outcomes["a"] == .init(delayFrames: 0, errorFrames: 0))
    #expect(outcomes["b"] == .init(delayFrames: 480, errorFrames: -264))
  }

  @Test func `a delay beyond the engine's limit remains as an error`() {
    let outcomes = align([("a", .automatic, 0), ("b", .automatic, 30_000)])
    #expect(outcomes["a"] == .init(delayFrames: 24_000, errorFrames: -6_000))
  }
}
