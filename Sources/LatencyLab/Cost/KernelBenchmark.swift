// SPDX-License-Identifier: MIT

import CMixKernels
import Mixing

/// The speed of the mixing kernel, as a share of the machine's multiply-add peak.
///
/// A plain value: [any-thread].
public struct KernelBenchmark: Sendable {
  /// The figures.
  public struct Result: Sendable, Equatable {
    /// The vectors chosen: "avx512", "avx2", "sse2", "neon" or "generic".
    public var vectors: String
    /// Inputs mixed into one output.
    public var inputs: Int
    /// Frames in a block.
    public var frames: Int
    /// Multiply-adds on registers alone, in 10⁹ operations (a multiply and an add each) a second.
    public var peakGFLOPS: Double
    /// The mixing kernel, in the same unit.
    public var kernelGFLOPS: Double
    /// The kernel's share of the peak, 0…1, from pairs measured in turns; nil with too few pairs.
    public var shareOfPeak: RatioEstimate?
  }

  /// Inputs mixed into one output.
  public var inputs: Int
  /// Frames in a block.
  public var frames: Int
  /// How long it is repeated; a round is a pair.
  public var repetition: Repetition

  /// Makes a benchmark whose data fit the first-level cache.
  public init(
    inputs: Int = 64,
    frames: Int = 64,
    repetition: Repetition = .engine,
  ) {
    self.inputs = inputs
    self.frames = frames
    self.repetition = repetition
  }

  /// Runs the benchmark.
  ///
  /// [control-thread]
  public func run() -> Result {
    let sources = PlanarBuffer(
      Array(repeating: Array(repeating: 0.01, count: frames), count: inputs),
      channels: inputs,
      frames: frames,
    )
    let target = PlanarBuffer([], channels: 1, frames: frames)
    let gains = Array(repeating: Float(0.5), count: inputs)
    // Both runs are made to do about the same work, for about 2 ms at 10¹¹ operations a second.
    let operations = 2e8
    let calls = max(1, Int(operations / Double(2 * inputs * frames)))
    let rounds = max(1, Int(operations / Double(mix_peak_operations())))
    var hidden: Float = 0
    let times = PairedTimes(
      repetition,
      first: { hidden += mix_peak_run(rounds) },
      second: { hidden += mix(sources, gains, into: target, calls: calls) },
    )
    // The result is used, so that the optimizer cannot omit the work.
    precondition(!hidden.isNaN)
    let peak = Double(rounds * mix_peak_operations()) / (times.first.median ?? .nan)
    let kernel = Double(calls * 2 * inputs * frames) / (times.second.median ?? .nan)
    let workRatio = Double(calls * 2 * inputs * frames) / Double(rounds * mix_peak_operations())
    return Result(
      vectors: unsafe String(cString: mix_vectors()),
      inputs: inputs,
      frames: frames,
      peakGFLOPS: peak,
      kernelGFLOPS: kernel,
      shareOfPeak: times.ratio?.inverted(times: workRatio),
    )
  }

  /// Mixes all sources into the target, over and over.
  private func mix(
    _ sources: PlanarBuffer,
    _ gains: [Float],
    into target: PlanarBuffer,
    calls: Int,
  ) -> Float {
    let inputs = unsafe sources.readable(from: 0)
    guard let output = unsafe target.writable(from: 0)[0] else { return 0 }
    return unsafe gains.withUnsafeBufferPointer { gains in
      var peak: Float = 0
      for _ in 0..<calls {
        peak += unsafe mix_sum(output, inputs, gains.baseAddress, Int32(gains.count), 0, frames)
          .peak
      }
      return peak
    }
  }
}
