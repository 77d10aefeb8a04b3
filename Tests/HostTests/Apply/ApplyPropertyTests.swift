// SPDX-License-Identifier: MIT

import Foundation
import GraphFiles
import TestSupport
import Testing

@testable import Host

/// Many versions of a graph in a row; `MULTIROUTE_APPLY_ROUNDS=1000` for more of them.
struct ApplyPropertyTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["MULTIROUTE_APPLY_ROUNDS"].flatMap(Int.init) ?? 150

  @Test func `after each of many versions the host is as one that starts with it`() async throws {
    var graphs = RandomGraph(seed: TestSeed.derived())
    try await House.with(graphs.next(), { $0.appear("player", outputs: ["out_1", "out_2"]) }) {
      house in
      for round in 0..<Self.rounds {
        let text = graphs.next()
        do {
          try await house.apply(text)
        } catch {
          Issue.record("round \(round): \(error)\n\(text)")
          return
        }
        await house.advance(milliseconds: 100)
        let now = await house.picture()
        var differences: [String] = []
        try await House.with(text, { $0.appear("player", outputs: ["out_1", "out_2"]) }) { fresh in
          await fresh.advance(milliseconds: 100)
          differences = now.differences(from: await fresh.picture())
        }
        guard differences.isEmpty else {
          Issue.record("round \(round): \(differences.joined(separator: "\n"))\n\(text)")
          return
        }
      }
    }
  }
}
