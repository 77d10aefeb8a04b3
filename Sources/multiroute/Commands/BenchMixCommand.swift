// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging
import Mixing

/// `multiroute bench mix`: what mixing costs, beside jack_mix_box and beside the machine's peak.
struct BenchMixCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mix",
    abstract: "What mixing costs: against jack_mix_box, the machine's peak, by matrix size.",
    discussion: "A release build gives figures that mean something. Needs jackd and jack_mix_box.",
  )

  @OptionGroup var report: BenchReportOptions

  @Option(help: "Rounds of one second in which host and jack_mix_box are compared.")
  var rounds = 15

  func run() async throws {
    Log.begin(at: .warning)
    let mix = Self.mix()
    var benchmark = MixCostBenchmark(program: try Program.path())
    benchmark.rounds = rounds
    let chosen = benchmark
    try await report.measuring { progress in
      [try await chosen.run(progress: progress), try mix.get()]
    }
  }

  /// The engine alone, without JACK.
  private static func mix() -> Result<BenchRecord, LabError> {
    let kernel = KernelBenchmark().run()
    var metrics = [
      "kernel.shareOfPeak.ratio": kernel.shareOfPeak,
      "kernel.speed.gigaflops": kernel.kernelGFLOPS,
      "kernel.peak.gigaflops": kernel.peakGFLOPS,
    ]
    do throws(MixError) {
      for placement in MatrixBenchmark.Placement.allCases {
        let matrix = try MatrixBenchmark().run(placement)
        metrics["matrix.\(placement.rawValue).ratio"] = matrix.ratio
        metrics["matrix.\(placement.rawValue)Large.nanoseconds"] = matrix.largeNanoseconds
        metrics["matrix.\(placement.rawValue)Small.nanoseconds"] = matrix.smallNanoseconds
      }
      let callback = try CallbackBenchmark().run()
      metrics["callback.p50.nanoseconds"] = callback.p50Nanoseconds
      metrics["callback.p999.nanoseconds"] = callback.p999Nanoseconds
      metrics["callback.p999OfPeriod.ratio"] =
        callback.p999Nanoseconds / callback.periodNanoseconds
    } catch {
      return .failure(LabError(.badOption, error.description))
    }
    return .success(
      BenchRecord(
        benchmark: "engine",
        subject: "kernels (\(kernel.vectors)), 256 × 32 against 10 × 4 with 40 live sends, 8 × 4",
        configuration: BenchRecord.Configuration(
          sampleRateHz: CallbackBenchmark().sampleRateHz,
          bufferFrames: CallbackBenchmark().frames,
        ),
        metrics: metrics,
      )
    )
  }
}
