// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ServerDeathTests {
  @Test(.jackServer(frames: 256))
  func `two clients come back after the death of the server, 100 times of 100`() async throws {
    try await expectRecovery(rounds: 100)
  }
}
