// SPDX-License-Identifier: MIT

import CRealtime
import FoundationEssentials
import Glibc
import JACK

extension SweepBenchmark {
  /// Runs the sweep; cancelling the task stops it cleanly after stopping the server.
  ///
  /// - Parameters:
  ///   - options: The range and the settings of the sweep.
  ///   - progress: Called about four times a second, with the time left.
  /// - Returns: The records; those of a cancelled sweep too.
  /// - Throws: ``LabError`` if the measurement fails as a whole. A point that fails becomes a record with a
  ///   note.
  ///
  /// [control-thread]
  public static func run(
    _ options: Options,
    progress: @escaping BenchProgress.Handler = { _ in },
  ) async throws(LabError) -> Result {
    try validate(options)
    let machine = MachineDescription.current(measuringOn: options.target)
    var store = try SweepStore(path: options.resumeFile, machine: machine)
    let target = try SweepTarget(options)
    let points = SweepPoint.all(of: options)
    let open = points.filter { !store.contains($0) }
    let began = realtime_now_nanoseconds()
    var wasCancelled = false

    for (index, point) in open.enumerated() {
      @Sendable func report(_ share: Double) {
        let done = (Double(index) + share) / Double(open.count)
        let elapsed = Double(realtime_now_nanoseconds() - began) / 1e9
        let measured = points.count - open.count
        progress(
          BenchProgress(
            step: measured + index + 1,
            stepCount: points.count,
            label: point.words,
            fractionDone: (Double(measured) + done * Double(open.count)) / Double(points.count),
            secondsLeft: done > 0 ? elapsed / done * (1 - done) : nil,
          )
        )
      }
      report(0)
      do throws(LabError) {
        guard !Task.isCancelled else { throw LabError(.cancelled, "the sweep was cancelled") }
        try store.append(try await target.measure(point, options, report))
      } catch  where error.code == .cancelled {
        wasCancelled = true
        break
      } catch  where error.code == .badFile {
        await target.finish()
        throw error
      } catch {
        try store.append(failure(point, options, error))
      }
    }
    await target.finish()
    return Result(
      report: store.report,
      lowestHoldingSizes: lowestHoldingSizes(in: store.report.records),
      wasCancelled: wasCancelled,
    )
  }

  private static func failure(
    _ point: SweepPoint,
    _ options: Options,
    _ error: LabError,
  ) -> BenchRecord {
    BenchRecord(
      benchmark: benchmarkName,
      subject: options.target == .dummyServers ? "dummy server" : "running server",
      configuration: BenchRecord.Configuration(
        preferredSampleRateHz: point.sampleRateHz.map(Double.init),
        preferredBufferFrames: point.bufferFrames,
        sampleRateHz: point.sampleRateHz.map(Double.init) ?? 0,
        bufferFrames: point.bufferFrames,
        isSynchronous: point.isSynchronous,
        chainedClients: point.chainedClients,
      ),
      notes: ["not measured: \(error.description)"],
    )
  }

  private static func validate(_ options: Options) throws(LabError) {
    func check(_ name: String, _ values: [Int], _ range: ClosedRange<Int>) throws(LabError) {
      guard !values.isEmpty, values.allSatisfy(range.contains) else {
        throw LabError(
          .badOption,
          "\(name) is \(values), allowed are one or more of "
            + "\(range.lowerBound) to \(range.upperBound)",
        )
      }
    }
    try check("frames", options.bufferFrames, SweepBenchmark.bufferFrameLimits)
    try check("clientCounts", options.clientCounts, 0...32)
    guard options.target == .dummyServers else { return }
    try check("rates", options.sampleRatesHz, SweepBenchmark.sampleRateLimitsHz)
    guard !options.synchronousModes.isEmpty else {
      throw LabError(.badOption, "synchronousModes is empty, allowed are true, false or both")
    }
  }
}
