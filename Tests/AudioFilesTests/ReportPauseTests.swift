// SPDX-License-Identifier: MIT

import Testing

@testable import AudioFiles

@Suite("Faults that last")
struct ReportPauseTests {
  @Test("an hour of a fault, looked at 50 times a second, makes about 65 reports")
  func hour() {
    var pause = ReportPause()
    let start = ContinuousClock.now
    let turns = (0..<180_000).filter { pause.takeTurn(now: start + .milliseconds($0 * 20)) }
    #expect(turns.count < 70)
    #expect(turns.prefix(4) == [0, 50, 150, 350])
  }

  @Test("a fault after a long calm is reported as a new one")
  func calm() {
    var pause = ReportPause()
    let start = ContinuousClock.now
    for second in 0..<100 { _ = pause.takeTurn(now: start + .seconds(second)) }
    let turns = [1000, 1000.9, 1001].map { pause.takeTurn(now: start + .seconds($0)) }
    #expect(turns == [true, false, true])
  }
}
