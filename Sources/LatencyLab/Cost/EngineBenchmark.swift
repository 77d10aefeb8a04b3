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

  /// Whether the cost grows with the live sends (ratio near 1) or with the size of the matrix: a cycle of 256 × 32 against one
  /// of 10 × 4, both with 40 live sends.
  ///
  /// - Parameter large: `dense` or `scattered`, which is compared with `small`.
  /// - Returns: The figure: the ratio, and the nanoseconds of a cycle of each.
  func matrix(_ large: EngineMix) -> PairedFigure {
    let comparison = PairedComparison(repetition) { line throws(LabError) in
      try (run(EngineMix.small.spec, line: line), run(large.spec, line: line))
    }
    return PairedFigure(comparison: comparison) { times, record in
      let name = large.metric
      let cycles = Double(Self.cyclesPerRun)
      record.tell("\(name).ratio", times.ratio)
      let undisturbed = times.undisturbed
      record.metrics["\(name)Large.nanoseconds"] = undisturbed.second.map { $0 / cycles }
      record.metrics["\(name)Small.nanoseconds"] = undisturbed.first.map { $0 / cycles }
      record.metrics["\(name)Interrupted.ratio"] =
        Double(times.interrupted) / Double(times.first.count)
    }
  }

  /// The cost of levels that somebody watches over that of levels that nobody does: 32 stereo strips, half of them without an
  /// open send.
  var watchedMeters: PairedFigure {
    var spec = MixSpec.grid(strips: 32, routes: 1, channels: 2)
    for strip in 0..<16 { spec.addSend(strip: strip, route: 0) }
    let mix = spec
    let comparison = PairedComparison(repetition) { line throws(LabError) in
      try (run(mix, line: line), run(mix, watchesLevels: true, line: line))
    }
    return PairedFigure(comparison: comparison) { $1.tell("meters.watched.ratio", $0.ratio) }
  }

  /// A run of cycles of a mix of its own.
  private func run(
    _ spec: MixSpec,
    watchesLevels: Bool = false,
    line: () -> Int,
  ) throws(LabError) -> () -> Void {
    let mix = try mix(spec, watchesLevels: watchesLevels, line: line)
    return { mix.run(cycles: Self.cyclesPerRun) }
  }

  private func mix(
    _ spec: MixSpec,
    watchesLevels: Bool = false,
    line: () -> Int = { 0 },
  ) throws(LabError) -> BenchmarkMix {
    do {
      return try BenchmarkMix(
        spec,
        frames: frames,
        sampleRateHz: sampleRateHz,
        watchesLevels: watchesLevels,
        line: line,
      )
    } catch {
      throw LabError(.badOption, error.description)
    }
  }

  /// Measures how long single render calls take: 8 stereo strips, each sent to each of 4 stereo routes.
  ///
  /// - Returns: The durations of all calls.
  /// - Throws: ``LabError`` `badOption` when the specification is not valid.
  ///
  /// [control-thread]
  func callback() throws(LabError) -> Distribution {
    let mix = try mix(EngineMix.callback.spec)
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
    let kernel = KernelBenchmark(repetition: repetition)
    var record = BenchRecord(
      benchmark: "engine",
      subject: "kernels (\(KernelBenchmark.vectors)), 256 × 32 against 10 × 4 with 40 live sends, "
        + "8 × 4",
      configuration: BenchRecord.Configuration(sampleRateHz: sampleRateHz, bufferFrames: frames),
    )
    var figures = [
      PairedFigure(comparison: kernel.comparison) { times, record in
        let result = kernel.result(of: times)
        record.metrics["kernel.speed.gigaflops"] = result.kernelGFLOPS
        record.metrics["kernel.peak.gigaflops"] = result.peakGFLOPS
        record.tell("kernel.shareOfPeak.ratio", result.shareOfPeak)
      },
      matrix(.dense), matrix(.scattered), watchedMeters,
    ]
    figures += KernelBenchmark.Grid().figures
    do throws(LabError) {
      figures += try PipeWireMixBenchmark().figures()
    } catch {
      guard error.code == .tool else { throw error }
      record.notes.append("kernel.ratioToPipeWire: \(error)")
    }
    try PairedFigure.measure(figures, into: &record)
    let calls = try callback()
    record.metrics["callback.p50.nanoseconds"] = calls.p50Microseconds * 1000
    record.metrics["callback.p999.nanoseconds"] = calls.p999Microseconds * 1000
    record.metrics["callback.p999OfPeriod.ratio"] =
      calls.p999Microseconds * 1e-6 / (Double(frames) / sampleRateHz)
    return record
  }

  private static let cyclesPerRun = 2000
}

extension Repetition {
  /// That of the engine alone: at least 51 pairs, at most 5 s, until the interval is within 2 % to either side.
  public static let engine = Repetition(leastRounds: 51, mostSeconds: 5, precision: 0.02)
}
