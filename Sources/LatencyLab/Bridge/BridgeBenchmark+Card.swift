// SPDX-License-Identifier: MIT

import FoundationEssentials

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
      program,
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
