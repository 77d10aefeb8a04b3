// SPDX-License-Identifier: MIT

import LatencyLab
import TestSupport
import Testing

/// How late a bridge really is: impulses through it, less what the card alone takes.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct BridgeLatencyTests {
  /// Measures in a PipeWire of its own.
  ///
  /// - Returns: The figures; nil where the machine was too late for any.
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
      print("\(subject): \(child.standardError)")
      return nil
    }
    return try BenchReport(contentsOf: "\(folder)/report.jsonl").records.first?.metrics
  }

  @Test(.aloneWithJACK)
  func `a bridge is as late as it says: two periods, its filter, and less than 1 ms`() async throws
  {
    let scratch = try Scratch()
    let name = "bridge.latency.median.milliseconds"
    let watch = MachineWatch.start()
    var nearest = Double.infinity
    var isMachineLate = true
    for _ in 1...4 where nearest >= 1 {
      _ = watch.wasLate()
      let card = try await measure("card", in: scratch)?[name]
      let bridge = try await measure("multiroute", in: scratch)
      let isLate = watch.wasLate()
      if !isLate { isMachineLate = false }
      guard let card, let heard = bridge?[name],
        let claimed = bridge?["bridge.latency.claimed.milliseconds"]
      else { continue }
      #expect(abs(claimed - (256 + 256 + 48) / 48.0) < 0.05)
      nearest = min(nearest, abs(heard - card - claimed))
      print(
        "heard \(heard) ms, \(card) ms of it the card, said \(claimed) ms"
          + (isLate ? "; the machine was late" : "")
      )
    }
    // A machine that was late in all rounds moves what is heard by periods, and not by more.
    #expect(nearest < (isMachineLate ? 10 : 1))
  }
}
