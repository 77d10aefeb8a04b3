// SPDX-License-Identifier: MIT

import Mixing

/// The cost of the mixing engine alone, without JACK: the second record of `bench mix`.
///
/// A plain value: [any-thread].
public struct EngineBenchmark: Sendable {
  /// Frames in a cycle.
  public var frames = 64
  /// Frames in a second.
  public var sampleRateHz = 48_000.0
  /// Pairs of runs that are compared.
  public var repetitions = 31
  /// Render calls whose duration is measured one by one.
  public var calls = 100_000

  /// 64 frames at 48 kHz, 31 pairs, 100,000 calls.
  public init() {}

  /// The placement of the live sends of the large matrix.
  enum Placement: String, Sendable, CaseIterable {
    /// On the same strips and routes as in the small matrix.
    case dense
    /// Spread over the whole matrix.
    case scattered
  }

  /// The cost of a large matrix and of a small one, both with 40 live sends.
  struct MatrixCost: Sendable, Equatable {
    /// Median nanoseconds of a cycle of 10 × 4.
    var smallNanoseconds: Double
    /// Median nanoseconds of a cycle of 256 × 32.
    var largeNanoseconds: Double
    /// Median of large ÷ small, from pairs that run in turns.
    var ratio: Double
  }

  /// Measures whether the cost grows with the live sends (ratio near 1) or with the size of the matrix.
  ///
  /// - Throws: `MixError` when the specification is not valid.
  ///
  /// [control-thread]
  func matrix(_ placement: Placement) throws(MixError) -> MatrixCost {
    var small = MixSpec.grid(strips: 10, routes: 4, channels: 1)
    var large = MixSpec.grid(strips: 256, routes: 32, channels: 1)
    for send in 0..<40 {
      small.addSend(strip: send % 10, route: send / 10)
      switch placement {
      case .dense: large.addSend(strip: send % 10, route: send / 10)
      // Steps that share no divisor with the size reach every part of the matrix.
      case .scattered: large.addSend(strip: send * 77 % 256, route: send * 13 % 32)
      }
    }
    let smallMix = try BenchmarkMix(small, frames: frames, sampleRateHz: sampleRateHz)
    let largeMix = try BenchmarkMix(large, frames: frames, sampleRateHz: sampleRateHz)
    let times = PairedTimes(
      repetitions: repetitions,
      first: { smallMix.run(cycles: Self.cyclesPerRun) },
      second: { largeMix.run(cycles: Self.cyclesPerRun) },
    )
    return MatrixCost(
      smallNanoseconds: (times.first.median ?? .nan) / Double(Self.cyclesPerRun),
      largeNanoseconds: (times.second.median ?? .nan) / Double(Self.cyclesPerRun),
      ratio: times.medianRatio,
    )
  }

  /// Measures the cost of levels that somebody watches: 32 stereo strips, half of them without an open send.
  ///
  /// - Returns: The median of watched ÷ unwatched, from pairs that run in turns.
  /// - Throws: `MixError` when the specification is not valid.
  ///
  /// [control-thread]
  func watchedMeters() throws(MixError) -> Double {
    var spec = MixSpec.grid(strips: 32, routes: 1, channels: 2)
    for strip in 0..<16 { spec.addSend(strip: strip, route: 0) }
    let idle = try BenchmarkMix(spec, frames: frames, sampleRateHz: sampleRateHz)
    let watched = try BenchmarkMix(
      spec,
      frames: frames,
      sampleRateHz: sampleRateHz,
      watchesLevels: true,
    )
    return PairedTimes(
      repetitions: repetitions,
      first: { idle.run(cycles: Self.cyclesPerRun) },
      second: { watched.run(cycles: Self.cyclesPerRun) },
    ).medianRatio
  }

  /// Measures how long single render calls take: 8 stereo strips, each sent to each of 4 stereo routes.
  ///
  /// - Returns: The durations of all calls.
  /// - Throws: `MixError` when the specification is not valid.
  ///
  /// [control-thread]
  func callback() throws(MixError) -> Distribution {
    var spec = MixSpec.grid(strips: 8, routes: 4, channels: 2)
    for send in 0..<32 { spec.addSend(strip: send % 8, route: send / 8) }
    let mix = try BenchmarkMix(spec, frames: frames, sampleRateHz: sampleRateHz)
    let clock = ContinuousClock()
    var times = JitterStatistics()
    for _ in 0..<calls {
      times.record(nanoseconds: Int64(clock.measure { mix.run(cycles: 1) } / .nanoseconds(1)))
    }
    return times.distribution
  }

  /// Measures kernel, matrix, meters and callback.
  ///
  /// - Returns: The record.
  /// - Throws: ``LabError`` `badOption` when a specification is not valid.
  ///
  /// [control-thread]
  public func run() throws(LabError) -> BenchRecord {
    let kernel = KernelBenchmark().run()
    var metrics = [
      "kernel.shareOfPeak.ratio": kernel.shareOfPeak,
      "kernel.speed.gigaflops": kernel.kernelGFLOPS,
      "kernel.peak.gigaflops": kernel.peakGFLOPS,
    ]
    do throws(MixError) {
      for placement in Placement.allCases {
        let cost = try matrix(placement)
        metrics["matrix.\(placement.rawValue).ratio"] = cost.ratio
        metrics["matrix.\(placement.rawValue)Large.nanoseconds"] = cost.largeNanoseconds
        metrics["matrix.\(placement.rawValue)Small.nanoseconds"] = cost.smallNanoseconds
      }
      metrics["meters.watched.ratio"] = try watchedMeters()
      let calls = try callback()
      metrics["callback.p50.nanoseconds"] = calls.p50Microseconds * 1000
      metrics["callback.p999.nanoseconds"] = calls.p999Microseconds * 1000
      metrics["callback.p999OfPeriod.ratio"] =
        calls.p999Microseconds * 1e-6 / (Double(frames) / sampleRateHz)
    } catch {
      throw LabError(.badOption, error.description)
    }
    return BenchRecord(
      benchmark: "engine",
      subject: "kernels (\(kernel.vectors)), 256 × 32 against 10 × 4 with 40 live sends, 8 × 4",
      configuration: BenchRecord.Configuration(sampleRateHz: sampleRateHz, bufferFrames: frames),
      metrics: metrics,
    )
  }

  private static let cyclesPerRun = 2000
}
