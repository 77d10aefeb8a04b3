// SPDX-License-Identifier: MIT

import ArgumentParser
import Host
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
  /// - Parameters:
  ///   - target: Which server is measured on, for the report's header.
  ///   - body: The measurement.
  /// - Throws: Status 69 with the fault on standard error; status 1 when a bar was missed.
  func measuring(
    on target: SweepBenchmark.Options.Target = .dummyServers,
    _ body: (@escaping BenchProgress.Handler) async throws -> [BenchRecord]
  ) async throws {
    try await presenting {
      let line = ProgressLine()
      defer { line.end() }
      let records = try await body { line.show($0) }
      let machine = MachineDescription.current(
        measuringOn: target,
        versions: ["multiroute": HostVersion.current],
      )
      return BenchReport(machine: machine, records: records)
    }
  }

  /// Prints and keeps a report, and checks the bars.
  ///
  /// - Parameter makeReport: Makes the report.
  /// - Throws: Status 65 for a bad file or option, 69 for another fault, with the fault on standard
  ///   error; status 1 when a bar was missed.
  func presenting(_ makeReport: () async throws -> BenchReport) async throws {
    do {
      // Before the measurement, so that a misspelt bar costs no time.
      let bars = try bars()
      let report = try await makeReport()
      Terminal.say(json ? report.jsonLines : report.table)
      if let out {
        let written = try await report.writeAll(toDirectory: out)
        for note in written.notes { Terminal.complain(note) }
        Terminal.complain("written: \(written.files.joined(separator: ", "))")
      }
      let findings = BenchBar.check(bars, against: report.records)
      for finding in findings { Terminal.complain(finding.description) }
      if findings.contains(where: { !$0.isCleared }) { throw ExitCode(1) }
    } catch let error as LabError {
      Terminal.complain("error: \(error)")
      throw [.badOption, .badFile].contains(error.code) ? ExitCode.badData : ExitCode.unavailable
    }
  }

  /// The bars of the command line and of the file.
  private func bars() throws -> [BenchBar] {
    var bars: [BenchBar] = []
    for text in require { bars.append(try BenchBar(parsing: text)) }
    if let requireFile { bars += try BenchBar.bars(inFile: requireFile) }
    return bars
  }
}
