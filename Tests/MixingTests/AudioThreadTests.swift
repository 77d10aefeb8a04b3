// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Callbacks with everything that allocates or locks counted, while gains and plans change.
@Suite("The audio thread")
struct AudioThreadTests {
  @Test("a million callbacks make no allocation and take no lock", .timeLimit(.minutes(5)))
  func million() async throws {
    let counts = try await probe("1000000")
    #expect(counts["callbacks"] == 1_000_000)
    #expect(counts["allocations"] == 0)
    #expect(counts["frees"] == 0)
    #expect(counts["locks"] == 0)
    #expect(counts["systemCalls"] == 0)
    // It was not an idle mix.
    #expect(try #require(counts["landings"]) > 10_000)
    #expect(try #require(counts["plans"]) > 1_000)
  }

  @Test("a planted allocation is counted")
  func allocation() async throws {
    let counts = try await probe("1000", "allocation")
    #expect(counts["allocations"] == 1000)
    #expect(counts["frees"] == 1000)
  }

  @Test("a planted lock is counted")
  func lock() async throws {
    #expect(try await probe("1000", "lock")["locks"] == 1000)
  }

  /// Runs the probe, which lies beside the tests, and reads its counts.
  private func probe(_ arguments: String...) async throws -> [String: Int] {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let program = tests.deletingLastPathComponent().appendingPathComponent("AudioThreadProbe").path
    let end = try await runProgram(program, arguments)
    #expect(end.status == 0)
    let words = end.output.split(whereSeparator: \.isWhitespace)
    var counts: [String: Int] = [:]
    for pair in stride(from: 0, to: words.count - 1, by: 2) {
      counts[String(words[pair])] = Int(words[pair + 1])
    }
    return counts
  }
}
