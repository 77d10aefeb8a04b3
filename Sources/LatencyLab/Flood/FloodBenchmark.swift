// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

/// `bench flood`: OSC and MIDI messages at a rate that no hand reaches, beside the same time without them.
///
/// A dummy server and a host with tones are idle first, then flooded. Xruns of the flood count against those of the idle server.
/// Runs on the task of its command: [control-thread].
public struct FloodBenchmark: Sendable {
  /// The path of the `multiroute` program that is measured.
  public var program: String
  /// Seconds of each of both parts, 2…3600.
  public var seconds = 10
  /// OSC messages a second, 1…100,000.
  public var oscMessages = 10_000
  /// MIDI messages a second, 1…20,000.
  public var midiMessages = 1_000
  /// The server's period in frames.
  public var bufferFrames = 128
  /// The server's sample rate in Hz.
  public var sampleRateHz = 48_000

  /// Makes a benchmark of 10 s at 128 frames and 48 kHz.
  ///
  /// - Parameter program: The path of the `multiroute` program.
  public init(program: String) { self.program = program }

  /// Runs it on a dummy server of its own.
  ///
  /// - Parameter progress: Called each second.
  /// - Returns: The record; its notes tell which bars are cleared.
  /// - Throws: ``LabError`` `badOption`, `jack`, `host`, `tool` or `cancelled`.
  public func run(
    progress: @escaping BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> BenchRecord {
    guard (2...3_600).contains(seconds), (1...100_000).contains(oscMessages),
      (1...20_000).contains(midiMessages)
    else {
      throw LabError(
        .badOption,
        "seconds is \(seconds), allowed is 2 to 3600; OSC messages \(oscMessages), allowed is 1 to 100000; "
          + "MIDI messages \(midiMessages), allowed is 1 to 20000",
      )
    }
    let startedAt = Date()
    let configuration = OwnServer.configuration(
      "flood",
      sampleRateHz: sampleRateHz,
      periodFrames: bufferFrames,
    )
    let readings = try await OwnServer.run(configuration) { server async throws(LabError) in
      let rig = try await FloodRig(self, server: server.configuration.name)
      return try await OwnServer.measure(on: rig) { rig async throws(LabError) in
        try await measure(rig, progress)
      }
    }
    return readings.record(self, startedAt: startedAt)
  }

  private func measure(
    _ rig: FloodRig,
    _ progress: BenchProgress.Handler,
  ) async throws(LabError) -> FloodReadings {
    var readings = FloodReadings()
    func pass(_ count: Int, from first: Int, _ label: String) async throws(LabError) {
      for second in first..<(first + count) {
        progress(BenchProgress(round: second, of: 2 * seconds, label: label))
        try await LabError.sleep(.seconds(1))
      }
    }
    let first = rig.xruns
    try await pass(seconds, from: 0, "idle")
    let second = rig.xruns
    readings.idleXruns = second - first
    try rig.begin()
    // Buffers reach their size in the first second.
    try await pass(1, from: seconds, "flooded")
    let bytes = rig.hostBytes
    try await pass(seconds - 1, from: seconds + 1, "flooded")
    readings.xruns = rig.xruns - second
    readings.grownBytes = rig.hostBytes - bytes
    try await rig.end(&readings)
    return readings
  }
}

/// The readings of `bench flood`.
///
/// Pure value: [any-thread].
struct FloodReadings: Sendable {
  /// Xruns of the idle server.
  var idleXruns = 0
  /// Xruns during the flood.
  var xruns = 0
  /// The growth of the host's memory during the flood in bytes.
  var grownBytes = 0
  /// OSC messages that were sent.
  var oscCount = 0
  /// OSC messages that the host's socket had no room for.
  var droppedCount = 0
  /// MIDI messages that were sent.
  var midiCount = 0
  /// Parameters that have another value than the last one that was sent.
  var unequalCount = 0

  /// Makes a record with a remark for each bar.
  ///
  /// - Parameters:
  ///   - benchmark: The circumstances.
  ///   - startedAt: When it began.
  /// - Returns: The record.
  func record(_ benchmark: FloodBenchmark, startedAt: Date) -> BenchRecord {
    var record = BenchRecord(
      benchmark: "flood",
      subject: "\(benchmark.oscMessages) OSC and \(benchmark.midiMessages) MIDI messages a second, "
        + "\(benchmark.seconds) s",
      configuration: BenchRecord.Configuration(
        sampleRateHz: Double(benchmark.sampleRateHz),
        bufferFrames: benchmark.bufferFrames,
        isSynchronous: true,
      ),
      startedAt: startedAt,
      metrics: [
        "flood.idleXruns.count": Double(idleXruns), "flood.xruns.count": Double(xruns),
        "flood.excessXruns.count": Double(max(0, xruns - idleXruns)),
        "flood.osc.sent.count": Double(oscCount),
        "flood.osc.dropped.count": Double(droppedCount),
        "flood.midi.sent.count": Double(midiCount),
        "flood.unequal.count": Double(unequalCount),
        "flood.memoryGrowth.kibibytes": Double(grownBytes / 1_024),
      ],
    )
    for metric in ["excessXruns", "osc.dropped", "unequal"] {
      let bar = BenchBar("flood.\(metric).count", .equal, 0)
      let value = record.metrics["flood.\(metric).count"] ?? 0
      let isCleared = bar.comparison.holds(value, bar.limit)
      record.notes.append("\(isCleared ? "cleared" : "missed"): \(bar): \(Int(value))")
    }
    return record
  }
}
