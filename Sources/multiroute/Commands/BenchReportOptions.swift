// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// What every `bench` command does with its records: prints, keeps, and holds bars against them.
struct BenchReportOptions: ParsableArguments {
  @Flag(help: "Print the report as JSON lines instead of tables.")
  var json = false

  @Option(help: "Keep the report in this folder: JSON lines, CSV, pictures and one HTML page.")
  var out: String?

  @Option(
    help: ArgumentHelp(
      "A bar to clear, such as 'mix.ratioToJackMixBox.ratio <= 0.2'; exit status 1 when missed.",
      valueName: "bar",
    )
  )
  var require: [String] = []

  @Option(help: "A file of bars, one a line.")
  var requireFile: String?

  /// Measures with a progress line on a terminal, then prints, keeps and checks.
  ///
  /// - Parameter body: The measurement.
  /// - Throws: Status 69 with the fault on standard error; status 1 when a bar was missed.
  func measuring(
    _ body: (@escaping BenchProgress.Handler) async throws -> [BenchRecord]
  ) async throws {
    do {
      try await finish(try await body(ProgressLine.show))
    } catch let error as LabError {
      Terminal.complain("error: \(error)")
      throw error.code == .badOption ? ExitCode.badData : ExitCode.unavailable
    }
  }

  /// Prints and keeps the records, and checks the bars.
  ///
  /// - Throws: `LabError`; status 1 when a bar was missed.
  func finish(_ records: [BenchRecord]) async throws {
    let bars =
      try require.map { try BenchBar(parsing: $0) }
      + (requireFile.map { try BenchBar.bars(inFile: $0) } ?? [])
    let report = BenchReport(machine: MachineDescription.current(), records: records)
    Terminal.say(json ? report.jsonLines : report.table)
    if let out {
      let written = try await report.writeAll(toDirectory: out)
      for note in written.notes { Terminal.complain(note) }
      Terminal.complain("written: \(written.files.joined(separator: ", "))")
    }
    let findings = BenchBar.check(bars, against: records)
    for finding in findings { Terminal.complain(finding.description) }
    if findings.contains(where: { !$0.isCleared }) { throw ExitCode(1) }
  }
}
