// SPDX-License-Identifier: MIT

import JACK

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
