// SPDX-License-Identifier: MIT

import FoundationEssentials
import JACK

/// Measures one point on a server that runs with its values.
///
/// Belongs to the control thread.
enum SweepMeasurement {
  /// Runs round trip and wake-up one after the other.
  ///
  /// - Parameters:
  ///   - point: The point.
  ///   - options: The sweep's options.
  ///   - server: Name of the server; nil takes the default one.
  ///   - notes: Remarks for the reader.
  ///   - progress: Called with the share of the wake-up's time that is done.
  /// - Returns: The record.
  /// - Throws: ``LabError`` as of the two benchmarks.
  static func run(
    _ point: SweepPoint,
    options: SweepBenchmark.Options,
    server: String?,
    notes: [String],
    progress: @Sendable @escaping (Double) -> Void,
  ) async throws(LabError) -> BenchRecord {
    let startedAt = Date()
    var metrics: [String: Double] = [:]
    var samples: [String: [Double]] = [:]
    var notes = notes
    let chain = try ClientChain(
      count: point.chainedClients,
      name: "multiroute-bench-chain",
      server: server,
    )
    defer { chain.close() }
    if let input = chain.inputPort, let output = chain.outputPort {
      do throws(LabError) {
        let trip = try await roundTrip(from: input, to: output, server: server)
        metrics = trip.metrics
        samples = trip.samples
        notes += trip.notes.filter { $0 != "\(LatencyDiscrepancy.agrees)" }
      } catch  where error.code == .refused {
        notes.append("no round trip: \(error.description)")
      }
    }
    var wakeUp = WakeUpBenchmark.Options()
    wakeUp.serverName = server
    wakeUp.duration = options.durationPerPoint
    var record = try await WakeUpBenchmark.run(wakeUp) { progress($0.fractionDone) }.record
    if let claim = try systemClaim(server), record.configuration.sampleRateHz > 0 {
      let milliseconds = Double(claim.maximumFrames) / record.configuration.sampleRateHz * 1000
      metrics["system.claimedRoundTrip.frames"] = Double(claim.maximumFrames)
      metrics["system.claimedRoundTrip.milliseconds"] = milliseconds
    }
    record.benchmark = SweepBenchmark.benchmarkName
    record.subject = options.target == .dummyServers ? "dummy server" : server ?? "default server"
    record.startedAt = startedAt.wholeSeconds
    record.configuration.preferredSampleRateHz = point.sampleRateHz.map(Double.init)
    record.configuration.preferredBufferFrames = point.bufferFrames
    record.configuration.chainedClients = point.chainedClients
    if let mode = point.isSynchronous { record.configuration.isSynchronous = mode }
    record.metrics.merge(metrics) { $1 }
    record.samples.merge(samples) { $1 }
    record.notes += notes
    return record
  }

  private static func roundTrip(
    from input: String,
    to output: String,
    server: String?,
  ) async throws(LabError) -> BenchRecord {
    var options = RoundTripBenchmark.Options(destinationPort: input, sourcePort: output)
    options.serverName = server
    options.repetitions = repetitions
    options.estimator.probeFrames = probeFrames
    options.estimator.maximumDelayFrames = maximumDelayFrames
    return try await RoundTripBenchmark.run(options).record
  }

  /// JACK's claim for the path from playback to capture hardware; nil when the server lacks one of them.
  static func systemClaim(_ server: String?) throws(LabError) -> LatencyClaim? {
    try LabError.wrapping { () throws(JACKError) in
      let client = try OpenedClient.open(name: "multiroute-bench-claim", server: server)
      return try LatencyClaim.system(client.connection)
    }
  }

  private static let repetitions = 3
  /// A sixth of a second at 48 kHz: there is no noise in a graph without hardware.
  private static let probeFrames = 8192
  /// Pass-through clients add whole periods at most.
  private static let maximumDelayFrames = 8192
}
