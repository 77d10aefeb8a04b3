// SPDX-License-Identifier: MIT

import LatencyLab
import TestSupport
import Testing

@testable import EndToEndSupport

/// The true latency of a bridge: that of impulses through it, less the card's own.
@Suite(.serialized, .timeLimit(.minutes(6)))
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

  /// How far from its word a bridge is, in milliseconds; nil where one of the two commands gives no figure.
  private func error(in scratch: Scratch) async throws -> Double? {
    let name = "bridge.latency.median.milliseconds"
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

  @Test(.aloneWithJACK)
  func `a bridge is as late as it says: two periods, its filter, and less than 1 ms`() async throws
  {
    let scratch = try Scratch()
    // A late machine moves the median of four impulses now and then; a bridge that says something untrue is
    // as far from its word each time.
    var errors: [Double] = []
    for _ in 1...8 {
      guard let error = try await error(in: scratch) else { continue }
      if error < 1 { return }
      errors.append(error)
    }
    Issue.record("milliseconds from its word, round by round: \(errors)")
  }
}
