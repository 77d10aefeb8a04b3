// SPDX-License-Identifier: MIT

import CMixKernels
import Mixing

/// The speed of the mixing kernel, as a share of the machine's multiply-add peak.
///
/// A plain value: [any-thread].
struct KernelBenchmark: Sendable {
  /// The figures.
  struct Result: Sendable, Equatable {
    /// Multiply-adds on registers alone, in 10⁹ operations (a multiply and an add each) a second.
    var peakGFLOPS: Double
    /// The mixing kernel, in the same unit.
    var kernelGFLOPS: Double
    /// The kernel's share of the peak, 0…1, from pairs measured in turns; nil with too few pairs.
    var shareOfPeak: RatioEstimate?
  }

  /// Inputs mixed into each output.
  var inputs: Int
  /// Outputs that are mixed together: 1, 2 or `mix_most_outputs()`.
  var outputs: Int
  /// Frames in a block.
  var frames: Int
  /// How long it is repeated; a round is a pair.
  var repetition: Repetition

  /// Makes a benchmark whose data fit the first-level cache.
  init(
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

  /// The vectors chosen: "avx512", "avx2", "sse2", "neon" or "generic".
  static var vectors: String { unsafe String(cString: mix_vectors()) }

  /// The peak, and the kernel.
  var comparison: PairedComparison {
    let samples = Array(repeating: Array(repeating: Float(0.01), count: frames), count: inputs)
    let gains = Array(repeating: Float(0.5), count: inputs * outputs)
    return PairedComparison(repetition) { line in
      let sources = PlanarBuffer(samples, channels: inputs, frames: frames, line: line())
      let target = PlanarBuffer([], channels: outputs, frames: frames, line: line())
      // The results are used, so that the optimizer cannot omit the work.
      return (
        first: { precondition(!mix_peak_run(rounds).isNaN) },
        second: { precondition(!mix(sources, gains, into: target, calls: calls).isNaN) },
      )
    }
  }

  /// The figures that the times of ``comparison`` give.
  func result(of times: PairedTimes) -> Result {
    let peakOperations = Double(rounds * mix_peak_operations())
    let kernelOperations = Double(calls * callOperations)
    let (peak, kernel) = times.undisturbed
    return Result(
      peakGFLOPS: peakOperations / (peak ?? .nan),
      kernelGFLOPS: kernelOperations / (kernel ?? .nan),
      shareOfPeak: times.ratio?.inverted(times: kernelOperations / peakOperations),
    )
  }

  // Both bodies are made to do about the same work, for about 2 ms at 10¹¹ operations a second.
  private static let operations = 2e8
  private var callOperations: Int { 2 * inputs * outputs * frames }
  private var calls: Int { max(1, Int(Self.operations / Double(callOperations))) }
  private var rounds: Int { max(1, Int(Self.operations / Double(mix_peak_operations()))) }

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
    var repetition = Repetition(leastRounds: 51, mostSeconds: 1, precision: 0.05)

    /// One output, and as many as are mixed together; odd lengths, and data beyond the first-level cache.
    private static let inputs = [4, 8, 16, 32]
    private static let frames = [32, 63, 64, 256, 1024]

    /// The shares by names such as `kernel.share.16x4x64.ratio`: 16 inputs, 4 outputs, 64 frames.
    var figures: [PairedFigure] {
      [1, Int(mix_most_outputs())].flatMap { outputs in
        Self.inputs.flatMap { inputs in
          Self.frames.map { frames in
            let benchmark = KernelBenchmark(
              inputs: inputs,
              outputs: outputs,
              frames: frames,
              repetition: repetition,
            )
            return PairedFigure(comparison: benchmark.comparison) { times, record in
              let share = benchmark.result(of: times).shareOfPeak
              record.tell("kernel.share.\(inputs)x\(outputs)x\(frames).ratio", share)
            }
          }
        }
      }
    }
  }
}
