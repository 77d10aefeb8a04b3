// SPDX-License-Identifier: MIT

import Testing

@testable import LatencyLab

/// The benchmarks of the engine measure something; tests judge no speed.
@Suite("Benchmarks of the engine")
struct EngineBenchmarkTests {
  @Test("the kernel's share of the peak is a share")
  func kernel() {
    let result = KernelBenchmark(inputs: 4, frames: 64, repetitions: 1).run()
    #expect(["avx512", "avx2", "sse2", "neon", "generic"].contains(result.vectors))
    #expect(result.peakGFLOPS > 0 && result.kernelGFLOPS > 0)
    #expect(result.shareOfPeak > 0 && result.shareOfPeak < 2)
  }

  @Test("both placements are measured", arguments: EngineBenchmark.Placement.allCases)
  func matrix(placement: EngineBenchmark.Placement) throws {
    var benchmark = EngineBenchmark()
    benchmark.repetitions = 1
    let result = try benchmark.matrix(placement)
    #expect(result.smallNanoseconds > 0 && result.largeNanoseconds > 0 && result.ratio > 0)
  }

  @Test("watched levels are measured")
  func meters() throws {
    var benchmark = EngineBenchmark()
    benchmark.repetitions = 1
    #expect(try benchmark.watchedMeters() > 0)
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
