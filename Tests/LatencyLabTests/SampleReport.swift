// SPDX-License-Identifier: MIT

import FoundationEssentials
import LatencyLab

/// A report of a sweep with made-up figures.
enum SampleReport {
  static let machine = MachineDescription(
    hostName: "lab",
    kernel: "6.1.0 #1 SMP",
    preemption: "full",
    processor: "A <fast> processor",
    processorCount: 2,
    governor: "performance",
    realtimePriorityLimit: 95,
    lockedMemoryLimitBytes: 1 << 26,
    memoryBytes: 1 << 33,
    server: "jackd2 1.9.21, dummy",
    versions: ["multiroute": "1.0"],
  )

  static let report = BenchReport(
    machine: machine,
    createdAt: Date(timeIntervalSince1970: 1_800_000_000),
    records: records,
  )

  static var records: [BenchRecord] {
    var random = TestRandom(5)
    var records: [BenchRecord] = []
    for rate in [44100.0, 48000, 96000] {
      for isSynchronous in [true, false] {
        for frames in [32, 64, 128, 256, 512, 1024] {
          records.append(
            record(rate: rate, frames: frames, isSynchronous: isSynchronous, random: &random)
          )
        }
      }
    }
    return records
  }

  static func record(
    rate: Double,
    frames: Int,
    isSynchronous: Bool,
    shiftMicroseconds: Double = 0,
    random: inout TestRandom,
  ) -> BenchRecord {
    let period = Double(frames) / rate * 1_000_000
    var wakeUp = JitterStatistics()
    var baseline = JitterStatistics()
    for _ in 0..<500 {
      let late = 20_000 + 8000 * abs(random.normal()) + 1000 * shiftMicroseconds
      wakeUp.record(nanoseconds: Int64(late))
      baseline.record(nanoseconds: Int64(late * 0.7))
    }
    let distribution = wakeUp.distribution
    let xruns =
      frames == 32
      ? [
        XrunRecord(
          seconds: 2.5,
          delayMicroseconds: 410,
          baselineMicroseconds: 380,
          processorBusyShare: 0.97,
          runnableThreads: 5,
          stolenShare: 0.01
        )
      ] : []
    return BenchRecord(
      benchmark: "sweep",
      subject: "dummy server",
      configuration: .init(
        preferredSampleRateHz: rate,
        preferredBufferFrames: frames,
        sampleRateHz: rate,
        bufferFrames: frames,
        isSynchronous: isSynchronous,
        chainedClients: 1,
      ),
      startedAt: Date(timeIntervalSince1970: 1_800_000_000),
      metrics: [
        "roundTrip.delay.frames": isSynchronous ? 0 : Double(frames),
        "system.claimedRoundTrip.milliseconds": period * (isSynchronous ? 2 : 3) / 1000,
        "wakeUp.p50.microseconds": distribution.p50Microseconds,
        "wakeUp.p99.microseconds": distribution.p99Microseconds,
        "wakeUp.maximum.microseconds": distribution.maximumMicroseconds,
        "wakeUp.p99.percentOfPeriod": distribution.p99Microseconds / period * 100,
        "wakeUp.maximum.percentOfPeriod": distribution.maximumMicroseconds / period * 100,
        "xruns.count": Double(xruns.count),
      ],
      samples: [
        "wakeUp.p50.microseconds": (0..<8).map { _ in
          25 + shiftMicroseconds + random.normal()
        }
      ],
      distributions: ["wakeUp": distribution, "baseline": baseline.distribution],
      timeline: (0..<8).map { second in
        TimelinePoint(
          seconds: Double(second),
          p50Microseconds: 25 + random.normal(),
          p99Microseconds: 42 + 3 * random.normal(),
          maximumMicroseconds: 60 + 10 * abs(random.normal()),
          baselineMaximumMicroseconds: 40 + 10 * abs(random.normal()),
        )
      },
      xruns: xruns,
      notes: frames == 32 ? ["no permission for real-time scheduling"] : [],
    )
  }
}
