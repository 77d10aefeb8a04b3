// SPDX-License-Identifier: MIT

import Glibc

/// One combination that a sweep measures.
///
/// Pure value: [any-thread].
struct SweepPoint: Hashable, Sendable {
  /// Sample rate to ask for in Hz; nil leaves it as it is.
  var sampleRateHz: Int?
  var bufferFrames: Int
  /// Whether to ask for a synchronous server; nil leaves it as it is.
  var isSynchronous: Bool?
  var chainedClients: Int

  /// The combinations of a sweep, the sizes changing fastest.
  static func all(of options: SweepBenchmark.Options) -> [SweepPoint] {
    let isOwn = options.target == .dummyServers
    let rates: [Int?] = isOwn ? options.sampleRatesHz.map(Optional.some) : [nil]
    let modes: [Bool?] = isOwn ? options.synchronousModes.map(Optional.some) : [nil]
    return rates.flatMap { rate in
      modes.flatMap { mode in
        options.clientCounts.flatMap { clients in
          options.bufferFrames.map { frames in
            SweepPoint(
              sampleRateHz: rate,
              bufferFrames: frames,
              isSynchronous: mode,
              chainedClients: clients,
            )
          }
        }
      }
    }
  }

  /// Whether a record is one of this point, with figures.
  func isMeasured(by record: BenchRecord) -> Bool {
    let configuration = record.configuration
    return record.benchmark == SweepBenchmark.benchmarkName && !record.metrics.isEmpty
      && configuration.preferredBufferFrames == bufferFrames
      && configuration.preferredSampleRateHz == sampleRateHz.map(Double.init)
      && (isSynchronous == nil || configuration.isSynchronous == isSynchronous)
      && configuration.chainedClients == chainedClients
  }

  /// The point as text.
  var words: String {
    let rate = sampleRateHz.map { "\($0) Hz, " } ?? ""
    let mode = isSynchronous.map { $0 ? ", sync" : ", async" } ?? ""
    return "\(rate)\(bufferFrames) frames\(mode), \(chainedClients) chained"
  }
}

/// The results of a sweep, in memory and in the file to go on with.
///
/// Belongs to the control thread.
struct SweepStore {
  private(set) var report: BenchReport
  private let path: String?

  /// Reads the file, or begins it if it does not exist.
  ///
  /// Points that failed are left out, so that they are tried again.
  init(path: String?, machine: MachineDescription) throws(LabError) {
    self.path = path
    guard let path else {
      report = BenchReport(machine: machine)
      return
    }
    var facts = stat()
    if unsafe stat(path, &facts) == 0, facts.st_size > 0 {
      do throws(LabError) {
        report = try BenchReport(contentsOf: path)
      } catch {
        throw LabError(
          error.code,
          "\(error.description); a sweep cannot go on with this file: name another one, or remove it",
        )
      }
      report.records.removeAll { $0.metrics.isEmpty }
    } else {
      report = BenchReport(machine: machine)
    }
    // Written anew, as a killed writer may have left half a line.
    try report.write(to: path)
  }

  func contains(_ point: SweepPoint) -> Bool {
    report.records.contains { point.isMeasured(by: $0) }
  }

  /// Adds a record, and to the file at once.
  mutating func append(_ record: BenchRecord) throws(LabError) {
    report.records.append(record)
    guard let path else { return }
    try OutputFile.append(BenchReport.line(of: record), to: path)
  }
}
