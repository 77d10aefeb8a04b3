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
    #expect(["avx512", "avx2", "sse2", "neon", "generic"].contains(KernelBenchmark.vectors))
    let benchmark = KernelBenchmark(inputs: 4, frames: 64, repetition: Self.short)
    let result = benchmark.result(of: try benchmark.comparison.measured())
    #expect(result.peakGFLOPS > 0 && result.kernelGFLOPS > 0)
    let share = try #require(result.shareOfPeak)
    #expect(share.ratio > 0 && share.ratio < 2)
  }

  @Test("several outputs are measured together")
  func together() throws {
    let benchmark = KernelBenchmark(inputs: 4, outputs: 2, frames: 64, repetition: Self.short)
    let result = benchmark.result(of: try benchmark.comparison.measured())
    #expect(try #require(result.shareOfPeak).ratio > 0)
  }

  @Test("PipeWire's mixer adds up its inputs, and is measured", arguments: [2, 3, 16, 64])
  func pipeWire(inputs: Int) throws {
    // A single input is handed on as it is, without a copy to the output.
    let samples = (0..<inputs).map { input in
      (0..<100).map { frame -> Float in Float(input) / 128 - Float(frame) / 512 }
    }
    let mixer = try PipeWireMixer(samples)
    // Its second cycle takes back the buffer of the first.
    #expect(mixer.run(cycles: 2))
    for frame in 0..<100 {
      let sum = samples.reduce(0) { $0 + $1[frame] }
      #expect(abs(mixer.mixed[frame] - sum) < 1e-5)
    }
    let benchmark = PipeWireMixBenchmark(repetition: Self.short)
    let times = try benchmark.comparison(inputs: 16, frames: 64).measured()
    #expect(try #require(times.ratio).ratio > 0)
  }

  @Test("without PipeWire's plugins the error names the folder and the package")
  func noPipeWire() {
    let error = #expect(throws: LabError.self) { try PipeWireMixer([[0]], folder: "/nowhere") }
    #expect(error?.code == .tool)
    #expect(error?.description.contains("/nowhere") == true)
    #expect(error?.description.contains("libspa-0.2-modules") == true)
  }

  @Test("a round takes the cycles that both ran, each once")
  func callbackRound() throws {
    let own: [UInt32: Double] = [0: 10, 64: 20, 128: 30, 192: 1000]
    let peer: [UInt32: Double] = [0: 100, 64: 40, 128: 90, 256: 7]
    let round = try #require(
      MixCostBenchmark.round([own, peer], seen: [64], process: [1, 2])
    )
    #expect(round.callback == [20, 95])
    #expect(abs(round.quotient - (0.1 + 1.0 / 3) / 2) < 1e-9)
    #expect(MixCostBenchmark.round([own, peer], seen: [0, 64, 128], process: [1, 2]) == nil)
  }

  @Test("both placements and watched levels are measured")
  func matrix() throws {
    var benchmark = EngineBenchmark()
    benchmark.repetition = Self.short
    var record = BenchRecord(
      benchmark: "engine",
      subject: "a",
      configuration: .init(sampleRateHz: 48_000, bufferFrames: 64),
    )
    let figures = [
      benchmark.matrix(.dense), benchmark.matrix(.scattered), benchmark.watchedMeters,
    ]
    try PairedFigure.measure(figures, into: &record)
    for name in ["matrix.dense", "matrix.scattered"] {
      #expect(try #require(record.metrics["\(name).ratio"]) > 0)
      #expect(try #require(record.metrics["\(name)Small.nanoseconds"]) > 0)
      #expect(try #require(record.metrics["\(name)Large.nanoseconds"]) > 0)
    }
    #expect(try #require(record.metrics["meters.watched.ratio"]) > 0)
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
