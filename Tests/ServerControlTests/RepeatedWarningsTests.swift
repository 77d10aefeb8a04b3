// SPDX-License-Identifier: MIT

import Testing

@testable import ServerControl

/// Attempts that fail alike are told once.
struct RepeatedWarningsTests {
  @Test func `43 equal warnings become one, and are news again after a success`() {
    var warnings = RepeatedWarnings()
    let told = Array(repeating: "jackdbus does not answer", count: 43).filter { warnings.isNew($0) }
    #expect(told.count == 1)
    let other = warnings.isNew("the rate is refused")
    #expect(other)
    warnings.forget()
    let again = warnings.isNew("jackdbus does not answer")
    #expect(again)
  }
}
