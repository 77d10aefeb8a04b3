// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The results of a sweep, in memory and in the file to go on with.
struct SweepStore {
  private(set) var report: BenchReport
  private let path: String?

  /// Reads the file where there is one, and begins it where there is none.
  ///
  /// Points that failed are left out, so that they are tried again.
  init(path: String?, machine: MachineDescription) throws(LabError) {
    self.path = path
    guard let path else {
      report = BenchReport(machine: machine)
      return
    }
    if FileManager.default.fileExists(atPath: path) {
      report = try BenchReport(contentsOf: path)
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
