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
    spec = .grid(strips: strips, routes: routes, channels: 2)
    for send in 0..<strips * routes {
      spec.addSend(strip: send % strips, route: send / strips)
    }
    self.frames = frames
    self.sampleRateHz = sampleRateHz
    self.calls = calls
  }

  /// Runs the benchmark.
  ///
  /// [control-thread]
  public func run() throws(MixError) -> Result {
    let mix = try BenchmarkMix(spec, frames: frames, sampleRateHz: sampleRateHz)
    let clock = ContinuousClock()
    var times: [Double] = []
    times.reserveCapacity(calls)
    for _ in 0..<calls {
      times.append(clock.measure { mix.run(cycles: 1) } / .nanoseconds(1))
    }
    return Result(
      calls: times.count,
      p50Nanoseconds: times.median,
      p99Nanoseconds: times.percentile(0.99),
      p999Nanoseconds: times.percentile(0.999),
      maximumNanoseconds: times.percentile(1),
      periodNanoseconds: Double(frames) / sampleRateHz * 1e9,
    )
  }
}
