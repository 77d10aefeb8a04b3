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
    /// Inputs mixed into each output.
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

  /// Inputs mixed into each output.
  public var inputs: Int
  /// Outputs that are mixed together: 1, 2 or `mix_most_outputs()`.
  public var outputs: Int
  /// Frames in a block.
  public var frames: Int
  /// How long it is repeated; a round is a pair.
  public var repetition: Repetition

  /// Makes a benchmark whose data fit the first-level cache.
  public init(
    inputs: Int = 64,
    outputs: Int = 1,
    frames: Int = 64,
    repetition: Repetition = .engine,
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.frames = frames
    self.repetition = repetition
  }

  /// Runs the benchmark.
  ///
  /// [control-thread]
  public func run() -> Result {
    let samples = Array(repeating: Array(repeating: Float(0.01), count: frames), count: inputs)
    let gains = Array(repeating: Float(0.5), count: inputs * outputs)
    // Both runs are made to do about the same work, for about 2 ms at 10¹¹ operations a second.
    let operations = 2e8
    let callOperations = 2 * inputs * outputs * frames
    let calls = max(1, Int(operations / Double(callOperations)))
    let rounds = max(1, Int(operations / Double(mix_peak_operations())))
    var hidden: Float = 0
    let times = PairedTimes(repetition) { line in
      let sources = PlanarBuffer(samples, channels: inputs, frames: frames, line: line())
      let target = PlanarBuffer([], channels: outputs, frames: frames, line: line())
      return (
        first: { hidden += mix_peak_run(rounds) },
        second: { hidden += mix(sources, gains, into: target, calls: calls) },
      )
    }
    // The result is used, so that the optimizer cannot omit the work.
    precondition(!hidden.isNaN)
    let peak = Double(rounds * mix_peak_operations()) / (times.first.median ?? .nan)
    let kernel = Double(calls * callOperations) / (times.second.median ?? .nan)
    let workRatio = Double(calls * callOperations) / Double(rounds * mix_peak_operations())
    return Result(
      vectors: unsafe String(cString: mix_vectors()),
      inputs: inputs,
      frames: frames,
      peakGFLOPS: peak,
      kernelGFLOPS: kernel,
      shareOfPeak: times.ratio?.inverted(times: workRatio),
    )
  }

  /// Mixes all sources into the targets, over and over.
  private func mix(
    _ sources: PlanarBuffer,
    _ gains: [Float],
    into target: PlanarBuffer,
    calls: Int,
  ) -> Float {
    let inputs = unsafe sources.readable(from: 0)
    let targets = unsafe target.writable(from: 0)
    let count = Int32(self.inputs)
    return unsafe gains.withUnsafeBufferPointer { gains in
      var levels = Array(repeating: MixLevel(peak: 0, squares: 0), count: outputs)
      for _ in 0..<calls {
        if outputs > 1 {
          unsafe mix_sum_outputs(
            targets,
            Int32(outputs),
            inputs,
            gains.baseAddress,
            count,
            0,
            frames,
            &levels,
          )
        } else if let output = unsafe targets[0] {
          levels[0] = unsafe mix_sum(output, inputs, gains.baseAddress, count, 0, frames)
        }
      }
      return levels.reduce(0) { $0 + $1.peak }
    }
  }
}

extension KernelBenchmark {
  /// The shares of the peak by inputs, outputs and frames.
  struct Grid: Sendable {
    /// Long enough for an interval of some percent; there are many.
    var repetition = Repetition(leastRounds: 31, mostSeconds: 1, precision: 0.05)

    /// One output, and as many as are mixed together; odd lengths, and data beyond the first-level cache.
    private static let inputs = [4, 8, 16, 32]
    private static let frames = [32, 63, 64, 256, 1024]

    /// Measures all.
    ///
    /// - Returns: The shares by names such as `kernel.share.16x4x64.ratio`: 16 inputs, 4 outputs, 64 frames.
    func run() -> [(metric: String, share: RatioEstimate?)] {
      [1, Int(mix_most_outputs())].flatMap { outputs in
        Self.inputs.flatMap { inputs in
          Self.frames.map { frames in
            let benchmark = KernelBenchmark(
              inputs: inputs,
              outputs: outputs,
              frames: frames,
              repetition: repetition,
            )
            return (
              "kernel.share.\(inputs)x\(outputs)x\(frames).ratio", benchmark.run().shareOfPeak
            )
          }
        }
      }
    }
  }
}
