// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// `multiroute bench report FILE…`: one report of several.
struct BenchReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Join reports, show them, and hold bars against them.",
    discussion: "The machine is that of the first file. Exit status 1 when a bar is missed.",
  )

  @OptionGroup var report: BenchReportOptions

  @Argument(help: "Reports, JSON lines.")
  var files: [String]

  func run() async throws {
    try await report.presenting {
      let reports = try files.map { try BenchReport(contentsOf: $0) }
      var joined = reports[0]
      joined.records = reports.flatMap(\.records)
      return joined
    }
  }
}
