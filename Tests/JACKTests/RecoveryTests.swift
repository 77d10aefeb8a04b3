// SPDX-License-Identifier: MIT

import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RecoveryTests {
  // LongTests has a hundred rounds. These three have both rates and both periods.
  @Test(.jackServer(frames: 256))
  func `two clients come back after each death of the server`() async throws {
    try await expectRecovery(rounds: 3)
  }
}
