// SPDX-License-Identifier: MIT

/// `bench wakeup`: how late a JACK client is called, and how late a plain thread is beside it.
public enum WakeUpBenchmark {
  /// What to measure and how.
  public struct Options: Sendable {
    /// Name of the JACK server; nil takes the default one.
    public var serverName: String?
    /// How long to measure.
    public var duration: Duration = .seconds(10)
    /// Output ports whose clients' time is measured; empty measures the wake-up alone.
    ///
    /// A second client listens to them, so that JACK calls it after all clients up to there have
    /// run: its time behind the first one is theirs. JACK tells the time of single clients nowhere.
    public var sourcePorts: [String] = []
    /// Whether a thread that only sleeps a period at a time is measured beside it.
    public var measuresBaseline = true
    /// Name of the client in the graph.
    public var clientName = "multiroute-bench"

    /// Ten seconds on the default server.
    public init() {}
  }

  /// What was found.
  public struct Result: Sendable {
    /// From the scheduled start of the cycle to the callback.
    ///
    /// The schedule is that of JACK's cycle times. Where the server's clock filter is off after an
    /// xrun, its error is taken out.
    public var wakeUp: Distribution
    /// How far the time between two callbacks is from a period, either way.
    public var interval: Distribution
    /// From the start of the callback to its end: the lab's own cost.
    public var callback: Distribution
    /// From the wake-up to the end of the clients before `sourcePorts`; nil without such ports.
    public var graph: Distribution?
    /// From the time slept for to the time woken at, of the plain thread; nil without it.
    public var baseline: Distribution?
    /// The xruns in that time.
    public var xruns: [XrunRecord]
    /// Cycles that were run but not recorded because the control side was too slow.
    public var lostCycles: UInt64
    /// The result as a line of a report.
    public var record: BenchRecord
  }
}
