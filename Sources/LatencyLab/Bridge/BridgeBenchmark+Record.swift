// SPDX-License-Identifier: MIT

import FoundationEssentials

extension BridgeBenchmark {
  /// The figures of one run.
  func record(
    _ subject: String,
    startedAt: Date,
    analysis: BridgeAnalysis,
    claimedMilliseconds: Double? = nil,
    busyPercent: Double? = nil,
    jackXruns: Double? = nil,
    account: BridgeAccount? = nil,
  ) -> BenchRecord {
    let latency = analysis.latencyMilliseconds.sorted()
    let middle = latency.isEmpty ? Double.nan : latency[latency.count / 2]
    let frequency = analysis.frequencyPPM
    let deviation =
      (frequency.reduce(0) { $0 + $1 * $1 } / Double(max(1, frequency.count))).squareRoot()
    var metrics = [
      "bridge.sinad1s.median.decibels": Self.median(analysis.sinad1sDB),
      "bridge.sinad1s.lowest.decibels": analysis.sinad1sDB.min() ?? .nan,
      "bridge.sinad100ms.median.decibels": Self.median(analysis.sinad100msDB),
      "bridge.sinad100ms.lowest.decibels": analysis.sinad100msDB.min() ?? .nan,
      "bridge.frequency.deviation.ppm": deviation,
      "bridge.frequency.mean.ppm": analysis.meanFrequencyPPM,
      "bridge.wander.rms.frames": analysis.wanderFrames,
      "bridge.wander.peak.frames": analysis.wanderPeakFrames,
      "bridge.latency.median.milliseconds": middle,
      "bridge.latency.spread.milliseconds": (latency.last ?? .nan) - (latency.first ?? .nan),
      "bridge.broken.count": Double(analysis.brokenWindows),
      "bridge.resyncs.count": Double(analysis.resyncs),
    ]
    metrics["bridge.latency.claimed.milliseconds"] = claimedMilliseconds
    metrics["bridge.processor.percent"] = busyPercent
    metrics["bridge.jackXruns.count"] = jackXruns
    metrics["bridge.told.resyncs.count"] = account.map { Double($0.resyncs) }
    metrics["bridge.told.missedCycles.count"] = account.map { Double($0.missedCycles) }
    metrics["bridge.told.xruns.count"] = account.map { Double($0.xruns) }
    return BenchRecord(
      benchmark: "bridge",
      subject: subject,
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(deviceRateHz),
        bufferFrames: periodFrames,
        isSynchronous: false,
      ),
      startedAt: startedAt,
      metrics: metrics,
      samples: ["bridge.sinad1s.median.decibels": analysis.sinad1sDB],
      notes: [
        "\(Int(settleSeconds)) s to settle, \(Int(measureSeconds)) s measured; where jackXruns.count is "
          + "not 0, JACK's own clock has stepped"
      ],
    )
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
  }
}
