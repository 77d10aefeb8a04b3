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

  /// The rounds that were read, and in how many of them the machine was late.
  struct Readings {
    var rounds: [Round] = []
    var late = LateRounds()

    /// Of the audio threads: the host's cost above the empty client's, over that of jack_mix_box.
    var ratio: RatioEstimate? { ratio(\.audioThread) }
    /// The same of the whole processes.
    var processRatio: RatioEstimate? { ratio(\.process) }

    private func ratio(_ times: (Round) -> [Double]) -> RatioEstimate? {
      let times = rounds.map(times)
      return RatioEstimate(of: times.map { $0[1] - $0[0] }, to: times.map { $0[2] - $0[0] })
    }
  }

  /// Reads all processes at the same moments, until the ratio is narrow enough or time is up.
  func rounds(
    of processes: [Int32],
    connection: ClientConnection,
    progress: BenchProgress.Handler,
  ) async throws(LabError) -> Readings {
    var readings = Readings()
    let most = max(
      repetition.leastRounds,
      Int((repetition.mostSeconds / roundSeconds).rounded(.up)),
    )
    while !repetition.isDone(
      rounds: readings.rounds.count,
      seconds: Double(readings.rounds.count) * roundSeconds,
      [readings.ratio],
    ) {
      progress(BenchProgress(round: readings.rounds.count, of: most, label: "rounds"))
      readings.late.begin(xruns: connection.xruns.count)
      let before = processes.map(ThreadTimes.init(ofProcess:))
      let firstCycle = connection.processStatistics.cycles
      try await LabError.sleep(.seconds(roundSeconds))
      let after = processes.map(ThreadTimes.init(ofProcess:))
      readings.late.end(xruns: connection.xruns.count)
      let cycles = Double(connection.processStatistics.cycles - firstCycle)
      guard cycles > 0 else { throw LabError(.jack, "the server stands still") }
      readings.rounds.append(
        Round(
          audioThread: zip(before, after).map {
            Double($1.busiestNanoseconds(since: $0)) / cycles
          },
          process: zip(before, after).map { Double($1.allNanoseconds(since: $0)) / cycles },
        )
      )
    }
    return readings
  }

  /// Makes the record of all rounds.
  func record(_ readings: Readings) -> BenchRecord {
    func median(_ time: (Round) -> Double) -> Double {
      (readings.rounds.map(time).median ?? .nan) / 1000
    }
    let rounds = readings.rounds
    var record = BenchRecord(
      benchmark: "mix",
      subject: "\(stereoChannels) stereo channels into stereo",
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(sampleRateHz),
        bufferFrames: bufferFrames,
        isSynchronous: true,
      ),
      metrics: [
        "mix.emptyClient.microseconds": median { $0.audioThread[0] },
        "mix.aboveEmpty.microseconds": median { $0.audioThread[1] - $0.audioThread[0] },
        "mix.jackMixBoxAboveEmpty.microseconds": median { $0.audioThread[2] - $0.audioThread[0] },
        "mix.rounds.count": Double(rounds.count),
      ],
      samples: [
        "mix.aboveEmpty.microseconds": rounds.map {
          ($0.audioThread[1] - $0.audioThread[0]) / 1000
        },
        "mix.jackMixBoxAboveEmpty.microseconds": rounds.map {
          ($0.audioThread[2] - $0.audioThread[0]) / 1000
        },
      ],
      notes: [
        "CPU time of the audio thread in a cycle above that of an empty client with as many "
          + "ports; \(rounds.count) rounds in which all run in the same cycles"
      ],
    )
    record.tell("mix.ratioToJackMixBox.ratio", readings.ratio)
    record.tell("mix.wholeProcessRatioToJackMixBox.ratio", readings.processRatio)
    record.tell("mix", readings.late)
    return record
  }
}
