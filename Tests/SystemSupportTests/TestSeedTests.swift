// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// The seed of the random tests.
struct TestSeedTests {
  @Test(arguments: [
    ("0", 0), ("7", 7), ("0x7F", 127), ("0Xff", 255),
    ("18446744073709551615", UInt64.max), ("0xffffffffffffffff", .max),
  ])
  func `a number is read`(text: String, seed: UInt64) {
    #expect(TestSeed.number(text) == seed)
  }

  @Test(arguments: [
    "", " 7", "7 ", "+7", "-1", "0x", "0x-1", "7f", "seed", "1.5", "18446744073709551616", "٧",
  ])
  func `anything else is no seed`(text: String) {
    #expect(TestSeed.number(text) == nil)
  }

  @Test func `a name and a number have their own sequence, the same in each process`() {
    #expect(TestSeed.derived(from: 1, "a", 0) == 0xFFD8_0A17_8D19_199F)
    var seeds: Set<UInt64> = []
    for seed in [0, 1, 1 << 63] as [UInt64] {
      for name in ["a", "b", "ab", ""] {
        for number in 0..<100 as Range<UInt64> {
          seeds.insert(TestSeed.derived(from: seed, name, number))
        }
      }
    }
    #expect(seeds.count == 1_200)
    var (first, second) = (TestSeed.random(), TestSeed.random())
    var third = TestSeed.random(number: 1)
    let number = first.next()
    #expect(number == second.next() && number != third.next())
  }

  @Test func `a process prints its seed once`() async throws {
    let result = try await #require(
      processExitsWith: .success,
      observing: [\.standardErrorContent]
    ) {
      unsafe setenv("MULTIROUTE_TEST_SEED", "0x10", 1)
      let seeds = (1...3).map { _ in TestSeed.value }
      guard seeds == [16, 16, 16] else { exit(1) }
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.split(separator: "\n").count { $0 == "seed 16" } == 1, "\(errors)")
  }

  @Test func `a seed that is no number ends the process, and says why`() async throws {
    let result = try await #require(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      unsafe setenv("MULTIROUTE_TEST_SEED", "lucky", 1)
      _ = TestSeed.value
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.contains("MULTIROUTE_TEST_SEED=lucky: give a number"), "\(errors)")
  }
}
