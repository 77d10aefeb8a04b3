// SPDX-License-Identifier: MIT

import JACK

extension MixCostBenchmark {
  /// The result of one round: of the host and of jack_mix_box.
  struct Round {
    /// Median nanoseconds of a callback.
    var callback: [Double]
    /// The median of the cycles' quotients: the host's callback over that of jack_mix_box in the same cycle.
    var quotient: Double
    /// Processor time of all threads of the process, in nanoseconds a cycle.
    var process: [Double]
  }

  /// The rounds that were read, and in how many of them the machine was late.
  struct Readings {
    var rounds: [Round] = []
    var late = LateRounds()

    /// The host's callback over that of jack_mix_box.
    var ratio: RatioEstimate? { RatioEstimate(ofQuotients: rounds.map(\.quotient)) }
    /// The same of the whole processes.
    var processRatio: RatioEstimate? {
      RatioEstimate(ofQuotients: rounds.map { $0.process[0] / $0.process[1] })
    }
  }

  /// Reads both programs at the same moments.
  func round(
    of processes: [Int32],
    times: CallbackTimes,
    connection: ClientConnection,
    late: inout LateRounds,
  ) async throws(LabError) -> Round {
    let seen = Set(processes.flatMap { times.cycles(of: $0).keys })
    late.begin(xruns: connection.xruns.count)
    let before = processes.map(ThreadTimes.init(ofProcess:))
    let firstCycle = connection.processStatistics.cycles
    try await LabError.sleep(.seconds(roundSeconds))
    let after = processes.map(ThreadTimes.init(ofProcess:))
    late.end(xruns: connection.xruns.count)
    let cycles = Double(connection.processStatistics.cycles - firstCycle)
    guard cycles > 0 else { throw LabError(.jack, "the server stands still") }
    let process = zip(before, after).map { Double($1.allNanoseconds(since: $0)) / cycles }
    let callbacks = processes.map { times.cycles(of: $0) }
    guard let round = Self.round(callbacks, seen: seen, process: process) else {
      throw LabError(.tool, "the callbacks of host and jack_mix_box ran in no cycle in common")
    }
    return round
  }

  /// A round of the cycles that are in both and were not seen before; nil where there is none.
  static func round(
    _ callbacks: [[UInt32: Double]],
    seen: Set<UInt32>,
    process: [Double],
  ) -> Round? {
    let both = callbacks[0].keys.filter { callbacks[1][$0] != nil && !seen.contains($0) }
    let pairs = both.compactMap { frame in
      callbacks[0][frame].flatMap { own in callbacks[1][frame].map { (own, $0) } }
    }
    guard let own = pairs.map(\.0).median, let peer = pairs.map(\.1).median,
      let quotient = pairs.map({ $0.0 / $0.1 }).median
    else { return nil }
    return Round(callback: [own, peer], quotient: quotient, process: process)
  }

  /// Makes the record of all rounds.
  func record(_ readings: Readings) -> BenchRecord {
    let rounds = readings.rounds
    let own = rounds.map { $0.callback[0] / 1000 }
    let peer = rounds.map { $0.callback[1] / 1000 }
    var record = BenchRecord(
      benchmark: "mix",
      subject: "\(stereoChannels) stereo channels into stereo",
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(sampleRateHz),
        bufferFrames: bufferFrames,
        isSynchronous: true,
      ),
      metrics: [
        "mix.callback.microseconds": own.median ?? .nan,
        "mix.jackMixBoxCallback.microseconds": peer.median ?? .nan,
        "mix.rounds.count": Double(rounds.count),
      ],
      samples: [
        "mix.callback.microseconds": own,
        "mix.jackMixBoxCallback.microseconds": peer,
      ],
      notes: [
        "time from the call of the process callback to its return, ports included and waking up left out; "
          + "\(rounds.count) rounds with programs started anew, which run in the same cycles"
      ],
    )
    record.tell("mix.callbackRatioToJackMixBox.ratio", readings.ratio)
    record.tell("mix.processRatioToJackMixBox.ratio", readings.processRatio)
    record.tell("mix", readings.late)
    return record
  }
}
