// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// When a helper that runs is taken for dead.
struct HelperLifeTests {
  private var now: UInt64 = 5_000_000_000
  private var life = HelperLife()

  /// Looks as often as the host does.
  ///
  /// - Returns: After how many milliseconds it is to be killed; nil where it is not.
  private mutating func pass(
    milliseconds: Int,
    talks: Bool = true,
    isStopped: Bool = false,
    wordEveryMilliseconds: Int? = nil,
  ) -> Int? {
    for passed in stride(from: 50, through: milliseconds, by: 50) {
      now += 50_000_000
      if let every = wordEveryMilliseconds, passed % every == 0 { life.spoke() }
      if life.isOver(nowNanoseconds: now, talks: talks, isStopped: { isStopped }) { return passed }
    }
    return nil
  }

  @Test mutating func `a stopped program is killed after two seconds, once`() throws {
    #expect(pass(milliseconds: 60_000, wordEveryMilliseconds: 500) == nil)
    #expect(life.doubt == nil)
    let passed = try #require(pass(milliseconds: 10_000, isStopped: true))
    #expect((1_500...2_600).contains(passed))
    #expect(life.killReason == "was stopped")
    #expect(pass(milliseconds: 10_000, isStopped: true) == nil)
  }

  @Test mutating func `a program that is stopped for a moment lives on`() {
    for _ in 1...20 {
      #expect(pass(milliseconds: 1_500, isStopped: true) == nil)
      #expect(life.doubt == "it is stopped")
      #expect(pass(milliseconds: 600) == nil)
      life.spoke()
    }
  }

  @Test mutating func `a bridge without a word is in doubt, and killed much later`() throws {
    #expect(pass(milliseconds: 2_500) == nil)
    #expect(life.doubt == nil)
    #expect(pass(milliseconds: 1_500) == nil)
    #expect(life.doubt?.hasPrefix("it has been silent for") == true)
    life.spoke()
    #expect(life.doubt == nil)
    let passed = try #require(pass(milliseconds: 60_000))
    #expect((29_500...30_600).contains(passed))
    #expect(life.killReason == "has been silent for 30 s")
  }

  @Test mutating func `a program without reports may be silent`() {
    #expect(pass(milliseconds: 100_000, talks: false) == nil)
    #expect(life.doubt == nil)
  }

  @Test mutating func `a helper survives a suspended machine`() {
    for _ in 1...5 {
      now += 3_600_000_000_000
      #expect(pass(milliseconds: 500) == nil)
      life.spoke()
    }
    #expect(life.doubt == nil)
  }
}
