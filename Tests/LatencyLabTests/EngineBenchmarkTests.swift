// SPDX-License-Identifier: MIT

import Testing

@testable import LatencyLab

/// The benchmarks of the engine measure something; tests judge no speed.
@Suite("Benchmarks of the engine")
struct EngineBenchmarkTests {
  /// The fewest rounds that have an interval.
  private static let short = Repetition(
    leastRounds: RatioEstimate.fewestRounds,
    mostSeconds: 0,
  )

  @Test("the kernel's share of the peak is a share")
  func kernel() throws {
    let result = KernelBenchmark(inputs: 4, frames: 64, repetition: Self.short).run()
    #expect(["avx512", "avx2", "sse2", "neon", "generic"].contains(result.vectors))
    #expect(result.peakGFLOPS > 0 && result.kernelGFLOPS > 0)
    let share = try #require(result.shareOfPeak)
    #expect(share.ratio > 0 && share.ratio < 2)
  }

  @Test("both placements are measured", arguments: [EngineMix.dense, .scattered])
  func matrix(mix: EngineMix) throws {
    var benchmark = EngineBenchmark()
    benchmark.repetition = Self.short
    let result = try benchmark.matrix(mix)
    #expect(result.smallNanoseconds > 0 && result.largeNanoseconds > 0)
    #expect(try #require(result.ratio).ratio > 0)
  }

  @Test("watched levels are measured")
  func meters() throws {
    var benchmark = EngineBenchmark()
    benchmark.repetition = Self.short
    let ratio = try #require(try benchmark.watchedMeters())
    #expect(ratio.ratio > 0)
  }

  @Test("percentiles rise")
  func callback() throws {
    var benchmark = EngineBenchmark()
    benchmark.calls = 1000
    let result = try benchmark.callback()
    #expect(result.count == 1000)
    #expect(result.p50Microseconds > 0)
    #expect(result.p50Microseconds <= result.p99Microseconds)
    #expect(result.p99Microseconds <= result.p999Microseconds)
    #expect(result.p999Microseconds <= result.maximumMicroseconds)
  }
}
