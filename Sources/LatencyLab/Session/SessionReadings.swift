// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The readings of `bench session`, by the name of the quantity.
///
/// Pure value: [any-thread].
struct SessionReadings {
  /// Times in microseconds.
  private(set) var times: [String: [Double]] = [:]
  /// The times of each round in microseconds; a round in which one of them is missing has no ratio.
  private var rounds: [[String: Double]] = []
  /// Levels and steps in dB.
  private(set) var levels: [String: [Double]] = [:]
  /// Steps during which the server lost cycles, which makes them unusable.
  var lostSteps = 0
  /// Cycles that were heard.
  var cycles = 0
  /// Cycles of these that began more than half a period late.
  var lateCycles = 0
  /// Steps without an audible change in the recorded time.
  var unheardSteps = 0

  /// Begins a round of quantities that are compared with each other.
  mutating func beginRound() { rounds.append([:]) }

  /// Notes a time.
  mutating func add(_ name: String, microseconds: Double) {
    times[name, default: []].append(microseconds)
    if !rounds.isEmpty { rounds[rounds.count - 1][name] = microseconds }
  }

  /// Notes a level or a step.
  mutating func add(_ name: String, decibels: Double) {
    levels[name, default: []].append(decibels)
  }

  /// Makes a record of all readings.
  ///
  /// - Parameters:
  ///   - settings: The figures.
  ///   - startedAt: When it began.
  /// - Returns: The record.
  func record(_ settings: SessionBenchmark.Settings, startedAt: Date) -> BenchRecord {
    var metrics: [String: Double] = [
      "session.lost.count": Double(lostSteps), "session.unheard.count": Double(unheardSteps),
      "session.cycles.count": Double(cycles), "session.lateCycles.count": Double(lateCycles),
    ]
    var distributions: [String: Distribution] = [:]
    for (name, values) in times {
      var statistics = JitterStatistics()
      for value in values { statistics.record(nanoseconds: Int64(value * 1000)) }
      distributions[name] = statistics.distribution
      metrics.merge(
        statistics.distribution.metrics(named: "session.\(name)")
      ) { $1 }
    }
    for (name, values) in levels {
      metrics["session.\(name).median.decibels"] = values.median
      metrics["session.\(name).lowest.decibels"] = values.min()
      metrics["session.\(name).highest.decibels"] = values.max()
    }
    var record = BenchRecord(
      benchmark: "session",
      subject: "\(settings.interruptions) interruptions, \(settings.ducks) ducks, fade "
        + "\(settings.fadeMilliseconds) ms",
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(settings.sampleRateHz),
        bufferFrames: settings.bufferFrames,
        isSynchronous: true,
      ),
      startedAt: startedAt,
      metrics: metrics,
      samples: times.reduce(into: [:]) { $0["session.\($1.key).microseconds"] = $1.value },
      distributions: distributions,
      notes: lostSteps == 0 ? [] : ["\(lostSteps) steps were left out: the server lost cycles"],
    )
    for (name, peer) in Self.peers {
      let rounds = rounds.compactMap { round in
        round[Self.compared].flatMap { own in round[peer].map { (own: own, peer: $0) } }
      }
      record.tell(
        "session.\(name).ratio",
        RatioEstimate(of: rounds.map(\.own), to: rounds.map(\.peer)),
      )
    }
    return record
  }

  /// The quantity that is compared with its peers, which are read in turn with it.
  private static let compared = "interruptionBeyondFade"
  /// The names of the ratios, and the peers.
  private static let peers = ["ratioToDisconnect": "disconnect", "ratioToSelfMute": "selfMute"]
}
