// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@testable import EndToEndSupport

/// The tower under load; `scripts/load-tower` does the same for a minute and in full.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct TowerLoadTests {
  @Test(.aloneWithJACK)
  func `SES-6 a thousand sessions beside clients and messages, and none is forgotten`()
    async throws
  {
    let scratch = try Scratch()
    let load = try Child(
      "python3",
      [
        Repository.path("scripts/lib/load-tower.py"), try Multiroute.path(), "--clients", "12",
        // A debug build carries out a message in a millisecond or two.
        "--messages", "200", "--seconds", "4", "--only-tell",
      ],
      in: scratch,
    )
    let end = try await load.waitForEnd(within: .seconds(90))
    #expect(end == .code(0), "\(load.standardOutput)\(load.standardError)")
    #expect(load.standardOutput.contains("yes no session is forgotten"))
  }
}
