// SPDX-License-Identifier: MIT

/// Measures the mixing kernel against the machine's own multiply-add peak.
public struct KernelBenchmark: Sendable {
  /// What was measured.
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
    /// The kernel's share of the peak, 0…1: the median of pairs measured in turns.
    public var shareOfPeak: Double
  }

  /// Inputs mixed into one output.
  public var inputs: Int
  /// Frames in a block.
  public var frames: Int
  /// Pairs to measure.
  public var repetitions: Int

  /// Makes a benchmark whose data fit the first-level cache.
  public init(inputs: Int = 64, frames: Int = 64, repetitions: Int = 31) {
    self.inputs = inputs
    self.frames = frames
    self.repetitions = repetitions
  }

  /// Runs the benchmark.
  ///
  /// [control-thread]
  public func run() -> Result { fatalError("unwritten") }
}
