// SPDX-License-Identifier: MIT

/// Measures how long one render call takes, call by call, without JACK.
public struct CallbackBenchmark: Sendable {
  /// What was measured, in nanoseconds a call.
  public struct Result: Sendable, Equatable {
    /// Calls measured.
    public var calls: Int
    /// The median.
    public var p50Nanoseconds: Double
    /// The 99th percentile.
    public var p99Nanoseconds: Double
    /// The 99.9th percentile.
    public var p999Nanoseconds: Double
    /// The longest.
    public var maximumNanoseconds: Double
    /// The time that a cycle lasts.
    public var periodNanoseconds: Double
  }

  /// The mix; every strip sends to every route in the default.
  public var spec: MixSpec
  /// Frames in a cycle.
  public var frames: Int
  /// Frames in a second.
  public var sampleRateHz: Double
  /// Calls to measure.
  public var calls: Int

  /// Makes a benchmark of a full matrix of stereo strips and routes.
  public init(
    strips: Int = 8,
    routes: Int = 4,
    frames: Int = 64,
    sampleRateHz: Double = 48_000,
    calls: Int = 100_000,
  ) {
    spec = MixSpec()
    self.frames = frames
    self.sampleRateHz = sampleRateHz
    self.calls = calls
  }

  /// Runs the benchmark.
  ///
  /// [control-thread]
  public func run() throws(MixError) -> Result { fatalError("unwritten") }
}
