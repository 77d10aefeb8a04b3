// SPDX-License-Identifier: MIT

import ControlProtocol
import DeviceBridge
import FoundationEssentials
import Glibc

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
    let latency = analysis.latencyMilliseconds
    var metrics: [String: Double] = [
      "bridge.sinad1s.median.decibels": analysis.sinad1sDB.median ?? .nan,
      "bridge.sinad1s.lowest.decibels": analysis.sinad1sDB.min() ?? .nan,
      "bridge.sinad100ms.median.decibels": analysis.sinad100msDB.median ?? .nan,
      "bridge.sinad100ms.lowest.decibels": analysis.sinad100msDB.min() ?? .nan,
      "bridge.frequency.deviation.ppm": analysis.frequencyPPM.rootMeanSquare ?? 0,
      "bridge.frequency.mean.ppm": analysis.meanFrequencyPPM,
      "bridge.wander.rms.frames": analysis.wanderFrames,
      "bridge.wander.peak.frames": analysis.wanderPeakFrames,
      "bridge.latency.median.milliseconds": latency.median ?? .nan,
      "bridge.latency.spread.milliseconds": (latency.max() ?? .nan) - (latency.min() ?? .nan),
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
      samples: [
        "bridge.sinad1s.median.decibels": analysis.sinad1sDB,
        "bridge.latency.median.milliseconds": latency,
      ],
      notes: [
        "\(Int(settleSeconds)) s to settle, \(Int(measureSeconds)) s measured; where jackXruns.count is "
          + "not 0, JACK's own clock has stepped"
      ],
    )
  }
}

extension BenchRecord {
  /// Tells a bridge's ratios to zita-j2a at the same offset: of the error that is left in windows of a second, as an
  /// amplitude, and of the latency.
  ///
  /// - Parameter zita: The record of zita-j2a.
  mutating func tellRatios(toZita zita: BenchRecord) {
    func errors(_ record: BenchRecord) -> [Double] {
      (record.samples["bridge.sinad1s.median.decibels"] ?? []).map { pow(10, -$0 / 20) }
    }
    func latencies(_ record: BenchRecord) -> [Double] {
      record.samples["bridge.latency.median.milliseconds"] ?? []
    }
    // The two bridges run one after the other: their windows do not belong together.
    tell(
      "bridge.errorRatioToZita.ratio",
      RatioEstimate(ofUnpaired: errors(self), to: errors(zita)),
    )
    tell(
      "bridge.latencyRatioToZita.ratio",
      RatioEstimate(ofUnpaired: latencies(self), to: latencies(zita)),
    )
  }
}

/// A bridge's own count of its faults.
///
/// Pure value: [any-thread].
struct BridgeAccount {
  /// Times that the read pointer was moved while sound passed.
  var resyncs: Int
  /// Times that cycles of JACK went by without the bridge.
  var missedCycles: Int
  /// Times that the device ran empty.
  var xruns: Int

  /// Reads the last status line; nil without one, as with other programs' bridges.
  init?(readingFrom path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
    let statuses = data.split(separator: 0x0A).reversed().lazy.compactMap { line in
      try? JSONDecoder().decode(BridgeReport.self, from: Data(line))
    }
    guard let last = statuses.first else { return nil }
    resyncs = last.status.resyncs
    missedCycles = last.missedCycles
    xruns = last.status.xruns
  }

  /// The faults since an earlier account.
  func since(_ earlier: BridgeAccount?) -> BridgeAccount {
    var rest = self
    rest.resyncs -= earlier?.resyncs ?? 0
    rest.missedCycles -= earlier?.missedCycles ?? 0
    rest.xruns -= earlier?.xruns ?? 0
    return rest
  }
}

extension BridgeBenchmark {
  /// Measures the card with no bridge before it: the floor of all figures.
  func measureCard() async throws(LabError) -> BenchRecord {
    let startedAt = Date()
    let folder = try Self.makeFolder()
    let path = folder.path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let total = settleSeconds + measureSeconds
    // The recorder takes a moment to start, and the stamps are to reach beyond its end.
    let player = try PeerProcess(
      programs.helpers,
      ["bench", "bridge-card", "--device", "pipewire", "--rate", "\(deviceRateHz)"]
        + ["--frames", "\(periodFrames)", "--seconds", "\(total + 5)", "--out", "\(path)/played"],
    )
    defer { player.stop() }
    let recorder = try startRecorder(writingTo: "\(path)/recording")
    defer { recorder.stop() }
    try await LabError.sleep(.seconds(total))
    try await waitForFile("\(path)/recording")
    try await waitForFile("\(path)/played")
    let recording = try BridgeRecording(readingFrom: "\(path)/recording")
    let analysis = BridgeAnalysis(
      recording,
      from: Int(settleSeconds * recording.sampleRateHz),
      frequencyHz: BridgeStimulus.toneHz,
      played: try BridgeRecording(readingFrom: "\(path)/played").stamps,
      playerRateHz: Double(deviceRateHz),
      impulseFrames: deviceRateHz,
    )
    return record(
      "card, no bridge, \(deviceRateHz) Hz",
      startedAt: startedAt,
      analysis: analysis,
    )
  }
}
