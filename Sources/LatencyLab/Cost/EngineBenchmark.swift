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
  /// How long each comparison is repeated; a round is a pair of runs.
  public var repetition = Repetition.engine
  /// Render calls whose duration is measured one by one.
  public var calls = 100_000

  /// 64 frames at 48 kHz, 100,000 calls.
  public init() {}

  /// The cost of a large matrix and of a small one, both with 40 live sends.
  struct MatrixCost: Sendable, Equatable {
    /// Median nanoseconds of a cycle of 10 × 4.
    var smallNanoseconds: Double
    /// Median nanoseconds of a cycle of 256 × 32.
    var largeNanoseconds: Double
    /// Large ÷ small, from pairs that run in turns; nil with too few pairs.
    var ratio: RatioEstimate?
    /// The share of the pairs in which the kernel took the processor away, 0…1.
    var interruptedShare: Double
  }

  /// Measures whether the cost grows with the live sends (ratio near 1) or with the size of the matrix.
  ///
  /// - Parameter large: `dense` or `scattered`, which is compared with `small`.
  /// - Returns: The costs and their ratio.
  /// - Throws: `MixError` when the specification is not valid.
  ///
  /// [control-thread]
  func matrix(_ large: EngineMix) throws(MixError) -> MatrixCost {
    let times = try PairedTimes(repetition) { line throws(MixError) in
      try (run(EngineMix.small.spec, line: line), run(large.spec, line: line))
    }
    return MatrixCost(
      smallNanoseconds: (times.first.median ?? .nan) / Double(Self.cyclesPerRun),
      largeNanoseconds: (times.second.median ?? .nan) / Double(Self.cyclesPerRun),
      ratio: times.ratio,
      interruptedShare: Double(times.interrupted) / Double(times.first.count),
    )
  }

  /// Measures the cost of levels that somebody watches: 32 stereo strips, half of them without an open send.
  ///
  /// - Returns: Watched ÷ unwatched, from pairs that run in turns; nil with too few pairs.
  /// - Throws: `MixError` when the specification is not valid.
  ///
  /// [control-thread]
  func watchedMeters() throws(MixError) -> RatioEstimate? {
    var spec = MixSpec.grid(strips: 32, routes: 1, channels: 2)
    for strip in 0..<16 { spec.addSend(strip: strip, route: 0) }
    return try PairedTimes(repetition) { line throws(MixError) in
      try (run(spec, line: line), run(spec, watchesLevels: true, line: line))
    }.ratio
  }

  /// A run of cycles of a mix of its own.
  private func run(
    _ spec: MixSpec,
    watchesLevels: Bool = false,
    line: () -> Int,
  ) throws(MixError) -> () -> Void {
    let mix = try BenchmarkMix(
      spec,
      frames: frames,
      sampleRateHz: sampleRateHz,
      watchesLevels: watchesLevels,
      line: line,
    )
    return { mix.run(cycles: Self.cyclesPerRun) }
  }

  /// Measures how long single render calls take: 8 stereo strips, each sent to each of 4 stereo routes.
  ///
  /// - Returns: The durations of all calls.
  /// - Throws: `MixError` when the specification is not valid.
  ///
  /// [control-thread]
  func callback() throws(MixError) -> Distribution {
    let mix = try BenchmarkMix(
      EngineMix.callback.spec,
      frames: frames,
      sampleRateHz: sampleRateHz,
    )
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
    let kernel = KernelBenchmark(repetition: repetition).run()
    var record = BenchRecord(
      benchmark: "engine",
      subject: "kernels (\(kernel.vectors)), 256 × 32 against 10 × 4 with 40 live sends, 8 × 4",
      configuration: BenchRecord.Configuration(sampleRateHz: sampleRateHz, bufferFrames: frames),
      metrics: [
        "kernel.speed.gigaflops": kernel.kernelGFLOPS,
        "kernel.peak.gigaflops": kernel.peakGFLOPS,
      ],
    )
    record.tell("kernel.shareOfPeak.ratio", kernel.shareOfPeak)
    for entry in KernelBenchmark.Grid().run() { record.tell(entry.metric, entry.share) }
    do throws(LabError) {
      for entry in try PipeWireMixBenchmark().run() { record.tell(entry.metric, entry.ratio) }
    } catch {
      guard error.code == .tool else { throw error }
      record.notes.append("kernel.ratioToPipeWire: \(error)")
    }
    do throws(MixError) {
      for mix in [EngineMix.dense, .scattered] {
        let name = mix.metric
        let cost = try matrix(mix)
        record.tell("\(name).ratio", cost.ratio)
        record.metrics["\(name)Large.nanoseconds"] = cost.largeNanoseconds
        record.metrics["\(name)Small.nanoseconds"] = cost.smallNanoseconds
        record.metrics["\(name)Interrupted.ratio"] = cost.interruptedShare
      }
      record.tell("meters.watched.ratio", try watchedMeters())
      let calls = try callback()
      record.metrics["callback.p50.nanoseconds"] = calls.p50Microseconds * 1000
      record.metrics["callback.p999.nanoseconds"] = calls.p999Microseconds * 1000
      record.metrics["callback.p999OfPeriod.ratio"] =
        calls.p999Microseconds * 1e-6 / (Double(frames) / sampleRateHz)
    } catch {
      throw LabError(.badOption, error.description)
    }
    return record
  }

  private static let cyclesPerRun = 2000
}

extension Repetition {
  /// That of the engine alone: at least 31 pairs, at most 5 s, until the interval is within 2 % to either side.
  public static let engine = Repetition(leastRounds: 31, mostSeconds: 5, precision: 0.02)
}
