// SPDX-License-Identifier: MIT

import Mixing
import Testing

/// That the benchmarks measure something; how much is not for tests to say.
@Suite("Benchmarks")
struct BenchmarkTests {
  @Test("the kernel's share of the peak is a share")
  func kernel() {
    let result = KernelBenchmark(inputs: 4, frames: 64, repetitions: 1).run()
    #expect(["avx512", "avx2", "sse2", "neon", "generic"].contains(result.vectors))
    #expect(result.peakGFLOPS > 0 && result.kernelGFLOPS > 0)
    #expect(result.shareOfPeak > 0 && result.shareOfPeak < 2)
  }

  @Test("both placements are measured", arguments: MatrixBenchmark.Placement.allCases)
  func matrix(placement: MatrixBenchmark.Placement) throws {
    let result = try MatrixBenchmark(repetitions: 1).run(placement)
    #expect(result.smallNanoseconds > 0 && result.largeNanoseconds > 0 && result.ratio > 0)
  }

  @Test("percentiles rise")
  func callback() throws {
    let result = try CallbackBenchmark(calls: 1000).run()
    #expect(result.calls == 1000)
    #expect(result.p50Nanoseconds > 0)
    #expect(result.p50Nanoseconds <= result.p99Nanoseconds)
    #expect(result.p99Nanoseconds <= result.p999Nanoseconds)
    #expect(result.p999Nanoseconds <= result.maximumNanoseconds)
    #expect(abs(result.periodNanoseconds - 1_333_333.3) < 1)
  }
}
