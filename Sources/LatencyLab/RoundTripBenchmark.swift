// SPDX-License-Identifier: MIT

/// `bench roundtrip`: the delay between any two ports.
public enum RoundTripBenchmark {
  /// What to measure and how.
  public struct Options: Sendable {
    /// Name of the JACK server; nil takes the default one.
    public var serverName: String?
    /// Port the probe is played to (an input port such as `system:playback_1`).
    public var destinationPort: String
    /// Port the answer is taken from (an output port such as `system:capture_1`).
    public var sourcePort: String
    /// How often to measure, 1…1000.
    public var repetitions = 5
    /// The probe and what is asked of a reading.
    public var estimator = RoundTripEstimator.Options()
    /// Whether one client plays and captures, as jack_iodelay does.
    ///
    /// JACK then adds one period where the path is a loop within the graph. Two clients (the
    /// default) add nothing.
    public var usesOneClient = false
    /// Name of the clients in the graph.
    public var clientName = "multiroute-bench"

    /// Measures between two ports.
    ///
    /// - Parameters:
    ///   - destinationPort: The port the probe is played to.
    ///   - sourcePort: The port the answer is taken from.
    public init(destinationPort: String, sourcePort: String) {
      self.destinationPort = destinationPort
      self.sourcePort = sourcePort
    }
  }

  /// The readings and what JACK claims.
  public struct Result: Sendable {
    /// One entry per repetition.
    public var readings: [Swift.Result<RoundTripEstimate, RoundTripRefusal>]
    /// Median of the accepted readings in frames; nil where all were refused.
    public var delayFrames: Double?
    /// What JACK's latency ranges claim.
    public var claim: LatencyClaim
    /// The difference between the two, named; nil without a reading.
    public var discrepancy: LatencyDiscrepancy?
    /// The result as a line of a report.
    public var record: BenchRecord
  }
}
