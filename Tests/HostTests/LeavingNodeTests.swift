// SPDX-License-Identifier: MIT

import InterAppAudio
import TestSupport
import Testing

@testable import Host

/// The end of a process that was started for a node no longer in use.
struct LeavingNodeTests {
  @Test func `it is asked to end once after a while, and made to when it does not`() async throws {
    let program = try NodeProgram(["true"], server: "none")
    var leaving = LeavingNode(program, nowNanoseconds: 0)
    func step(_ hasEnded: Bool = false, at seconds: UInt64) -> LeavingNode.Step {
      leaving.step(hasEnded: hasEnded, nowNanoseconds: seconds * 1_000_000_000)
    }
    #expect(step(at: 1) == .wait)
    #expect(!leaving.isAsked)
    #expect(step(at: 2) == .ask)
    #expect(leaving.isAsked)
    #expect(step(at: 6) == .wait)
    #expect(step(at: 7) == .insist)
    #expect(step(true, at: 8) == .forget)
    // A test that ends a process must also reap it, or the test waits for ever.
    try await waitUntil("it is reaped") { program.hasEnded }
  }
}
