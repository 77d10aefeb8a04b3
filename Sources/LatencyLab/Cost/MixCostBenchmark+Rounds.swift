// SPDX-License-Identifier: MIT

import JACK

extension MixCostBenchmark {
  /// The result of one round, in nanoseconds per cycle.
  struct Round {
    /// Of the audio thread: empty client, host, jack_mix_box.
    var audioThread: [Double]
    /// Of the whole process, in the same order.
    var process: [Double]
  }

  /// Reads all processes at the same moments, several times.
  func rounds(
    of processes: [Int32],
    connection: ClientConnection,
    progress: BenchProgress.Handler,
  ) async throws(LabError) -> [Round] {
    var found: [Round] = []
    for round in 1...rounds {
      progress(
        BenchProgress(
          step: round,
          stepCount: rounds,
          label: "round \(round)",
          fractionDone: Double(round - 1) / Double(rounds),
          secondsLeft: Double(rounds - round + 1) * roundSeconds,
        )
      )
      let before = processes.map(ThreadTimes.init(ofProcess:))
      let firstCycle = connection.processStatistics.cycles
      try await LabError.sleep(.seconds(roundSeconds))
      let after = processes.map(ThreadTimes.init(ofProcess:))
      let cycles = Double(connection.processStatistics.cycles - firstCycle)
      guard cycles > 0 else { throw LabError(.jack, "the server stands still") }
      found.append(
        Round(
          audioThread: zip(before, after).map {
            Double($1.busiestNanoseconds(since: $0)) / cycles
          },
          process: zip(before, after).map { Double($1.allNanoseconds(since: $0)) / cycles },
        )
      )
    }
    return found
  }

  /// Makes the record of all rounds.
  func record(_ rounds: [Round]) -> BenchRecord {
    let above = rounds.map { ($0.audioThread[1] - $0.audioThread[0]) / 1000 }
    let peerAbove = rounds.map { ($0.audioThread[2] - $0.audioThread[0]) / 1000 }
    let ratios = zip(above, peerAbove).map { $0 / $1 }
    let processRatios = rounds.map {
      ($0.process[1] - $0.process[0]) / ($0.process[2] - $0.process[0])
    }
    return BenchRecord(
      benchmark: "mix",
      subject: "\(stereoChannels) stereo channels into stereo",
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(sampleRateHz),
        bufferFrames: bufferFrames,
        isSynchronous: true,
      ),
      metrics: [
        "mix.emptyClient.microseconds":
          rounds.map { $0.audioThread[0] / 1000 }
          .median ?? .nan,
        "mix.aboveEmpty.microseconds": above.median ?? .nan,
        "mix.jackMixBoxAboveEmpty.microseconds": peerAbove.median ?? .nan,
        "mix.ratioToJackMixBox.ratio": ratios.median ?? .nan,
        "mix.ratioToJackMixBoxLowest.ratio": ratios.min() ?? .nan,
        "mix.ratioToJackMixBoxHighest.ratio": ratios.max() ?? .nan,
        "mix.wholeProcessRatioToJackMixBox.ratio": processRatios.median ?? .nan,
      ],
      samples: ["mix.ratioToJackMixBox.ratio": ratios],
      notes: [
        "CPU time of the audio thread in a cycle above that of an empty client with as many "
          + "ports; medians of \(rounds.count) rounds in which all run in the same cycles"
      ],
    )
  }
}
