// SPDX-License-Identifier: MIT

import JACK

/// `bench wakeup`: the lateness of a JACK client's cycles, compared with that of a plain thread.
///
/// Runs on the task of its command: [control-thread].
public enum WakeUpBenchmark {
  /// The settings of a measurement.
  public struct Options: Sendable {
    /// Name of the JACK server; nil takes the default one.
    public var serverName: String?
    /// Duration of the measurement.
    public var duration: Duration = .seconds(10)
    /// Output ports whose clients' time is measured; empty measures the wake-up alone.
    ///
    /// A second client listens to them, so that JACK calls it after all clients up to there have
    /// run: its time after the first one is theirs. JACK reports no times of single clients.
    public var sourcePorts: [String] = []
    /// Whether a plain thread that sleeps a period at a time is measured too.
    public var measuresBaseline = true
    /// Name of the client in the graph.
    public var clientName = "multiroute-bench"

    /// Ten seconds on the default server.
    public init() {}
  }

  /// The results.
  public struct Result: Sendable {
    /// From the scheduled start of the cycle to the callback.
    ///
    /// The schedule is that of JACK's cycle times. If the server's clock filter is wrong after an xrun, its
    /// error is subtracted.
    public var wakeUp: Distribution
    /// Absolute difference between the time from callback to callback and a period.
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

extension WakeUpBenchmark.Result {
  /// Sums up the samples.
  init(_ collector: WakeUpCollector, _ facts: WakeUpBenchmark.Facts) {
    let period = facts.configuration.periodMicroseconds
    let distributions = collector.distributions
    let nothing = JitterStatistics().distribution
    wakeUp = distributions["wakeUp"] ?? nothing
    interval = distributions["interval"] ?? nothing
    callback = distributions["callback"] ?? nothing
    baseline = distributions["baseline"]
    graph = distributions["graph"]
    xruns = collector.xruns
    lostCycles = facts.lostCycles

    var metrics: [String: Double] = [:]
    for (name, distribution) in distributions {
      metrics.merge(distribution.metrics(named: name, periodMicroseconds: period)) { $1 }
    }
    metrics["cycles.count"] = Double(wakeUp.count)
    metrics["earlyCycles.count"] = Double(collector.earlyCycles)
    metrics["lostCycles.count"] = Double(lostCycles)
    metrics["xruns.count"] = Double(xruns.count)
    metrics["load.percent"] = facts.loadPercent
    metrics["lab.callback.mean.percentOfPeriod"] =
      period > 0 ? Double(facts.meanCallbackNanoseconds) / 1000 / period * 100 : 0

    for (client, nanoseconds) in facts.clientNanoseconds {
      metrics["client.\(client).mean.microseconds"] = nanoseconds / 1000
      guard period > 0 else { continue }
      metrics["client.\(client).mean.percentOfPeriod"] = nanoseconds / 1000 / period * 100
    }

    var notes = facts.notes
    let noisy = xruns.filter { ($0.baselineMicroseconds ?? 0) > period / 2 }.count
    if noisy > 0 {
      notes.append(
        "\(noisy) of \(xruns.count) xruns came when the plain thread was late by more than half a "
          + "period too: the machine, not a client, was the cause"
      )
    }
    let after = facts.options.sourcePorts
    record = BenchRecord(
      benchmark: WakeUpBenchmark.benchmarkName,
      subject: after.isEmpty ? "wake-up" : "after " + after.joined(separator: ", "),
      configuration: facts.configuration,
      startedAt: facts.startedAt,
      metrics: metrics,
      samples: [
        "wakeUp.p50.microseconds": collector.timeline.map(\.p50Microseconds),
        "wakeUp.p99.microseconds": collector.timeline.map(\.p99Microseconds),
      ],
      distributions: distributions,
      timeline: collector.timeline,
      xruns: xruns,
      notes: notes,
    )
  }
}
