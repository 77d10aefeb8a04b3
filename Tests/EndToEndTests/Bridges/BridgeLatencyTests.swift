// SPDX-License-Identifier: MIT

import LatencyLab
import TestSupport
import Testing

/// The true latency of a bridge: that of impulses through it, less the card's own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct BridgeLatencyTests {
  /// Measures in a PipeWire of its own.
  ///
  /// - Returns: The figures; nil where the command refuses them, as it does on a late machine.
  private func measure(_ subject: String, in scratch: Scratch) async throws -> [String: Double]? {
    let folder = "\(scratch.path)/report-\(Scratch.number())"
    let child = try Child(
      Repository.path("scripts/dummy-card"),
      [Multiroute.path(), "bench", "bridge", "--only", subject, "--offsets", "208"]
        + ["--settle", "2", "--seconds", "4", "--out", folder],
      environment: ["CARD_QUIET": "1"],
      in: scratch,
    )
    guard try await child.waitForEnd(within: .seconds(60)) == .code(0) else {
      // With a reason: a late machine does not excuse a crash.
      #expect(child.standardError.contains("error:"), "\(subject): \(child.standardError)")
      return nil
    }
    let records = try BenchReport(contentsOf: "\(folder)/report.jsonl").records
    return try #require(records.first).metrics
  }

  @Test(.aloneWithJACK)
  func `a bridge is as late as it says: two periods, its filter, and less than 1 ms`() async throws
  {
    let scratch = try Scratch()
    let name = "bridge.latency.median.milliseconds"
    let error = try await measuredInTime("how late a bridge is") { _ -> Double? in
      guard let alone = try await measure("card", in: scratch),
        let bridge = try await measure("multiroute", in: scratch)
      else { return nil }
      let card = try #require(alone[name])
      let heard = try #require(bridge[name])
      let claimed = try #require(bridge["bridge.latency.claimed.milliseconds"])
      // On any machine it says two periods and its filter, and is later than the card alone.
      #expect(abs(claimed - (256 + 256 + 48) / 48.0) < 0.05)
      #expect(heard > card)
      return abs(heard - card - claimed)
    }
    if let error { #expect(error < 1, "ms") }
  }
}
