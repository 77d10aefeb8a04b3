// SPDX-License-Identifier: MIT

/// Measures that cost grows with the sends that live, not with the size of the matrix.
public struct MatrixBenchmark: Sendable {
  /// Where the live sends of the large matrix are.
  public enum Placement: String, Sendable, CaseIterable {
    /// The same strips and routes as in the small one.
    case dense
    /// All over the matrix.
    case scattered
  }

  /// What was measured.
  public struct Result: Sendable, Equatable {
    /// Where the live sends of the large matrix were.
    public var placement: Placement
    /// Nanoseconds a cycle of 10 × 4 with 40 live sends, the median.
    public var smallNanoseconds: Double
    /// Nanoseconds a cycle of 256 × 32 with 40 live sends, the median.
    public var largeNanoseconds: Double
    /// Large over small: the median of pairs measured in turns.
    public var ratio: Double
  }

  /// Frames in a cycle.
  public var frames: Int
  /// Pairs to measure.
  public var repetitions: Int

  /// Makes a benchmark.
  public init(frames: Int = 64, repetitions: Int = 31) {
    self.frames = frames
    self.repetitions = repetitions
  }

  /// Runs the benchmark.
  ///
  /// [control-thread]
  public func run(_ placement: Placement) throws(MixError) -> Result { fatalError("unwritten") }
}
