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
  public func run(_ placement: Placement) throws(MixError) -> Result {
    var small = MixSpec.grid(strips: 10, routes: 4, channels: 1)
    var large = MixSpec.grid(strips: 256, routes: 32, channels: 1)
    for send in 0..<40 {
      small.addSend(strip: send % 10, route: send / 10)
      switch placement {
      case .dense: large.addSend(strip: send % 10, route: send / 10)
      // Steps without a common divisor with the size reach all over it.
      case .scattered: large.addSend(strip: send * 77 % 256, route: send * 13 % 32)
      }
    }
    let smallMix = try BenchmarkMix(small, frames: frames)
    let largeMix = try BenchmarkMix(large, frames: frames)
    let times = PairedTimes(
      repetitions: repetitions,
      first: { smallMix.run(cycles: Self.cycles) },
      second: { largeMix.run(cycles: Self.cycles) },
    )
    return Result(
      placement: placement,
      smallNanoseconds: times.first.median / Double(Self.cycles),
      largeNanoseconds: times.second.median / Double(Self.cycles),
      ratio: times.medianRatio,
    )
  }

  /// Cycles timed together.
  private static let cycles = 2000
}
