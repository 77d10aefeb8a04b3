// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import LatencyLab

/// The measurements of `multiroute bench …`, in a program of their own.
///
/// `multiroute` runs this program under its own name, so that usage texts say `multiroute bench`.
@main
struct MultirouteLab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CommandLine.arguments.first?.split(separator: "/").last.map(String.init),
    abstract: "Measurements of MultiRoute.",
    subcommands: [BenchCommand.self],
  )
}

/// `multiroute bench …`: measurements.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure the cost of mixing, nodes and settings.",
    subcommands: [
      BenchRoundTripCommand.self,
      BenchWakeUpCommand.self,
      BenchSweepCommand.self,
      BenchMixCommand.self,
      BenchBridgeCommand.self,
      BenchSessionCommand.self,
      BenchControlCommand.self,
      BenchFloodCommand.self,
      BenchWebCommand.self,
      BenchAdoptionCommand.self,
      BenchGuardCommand.self,
      BenchRolesCommand.self,
      BenchNodeCommand.self,
      BenchNodesCommand.self,
      BenchFaultsCommand.self,
      BenchReportCommand.self,
      BenchCompareCommand.self,
      BenchSettingsCommand.self,
      BridgeCardCommand.self,
      BridgeRecorderCommand.self,
      PassThroughClientCommand.self,
      CrowdClientCommand.self,
    ],
  )
}

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

/// `multiroute bench compare A B`: what changed beyond the noise.
struct BenchCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Find the changes between two reports beyond the noise.",
  )

  @Argument(help: "The earlier report, JSON lines.")
  var before: String

  @Argument(help: "The later report, JSON lines.")
  var after: String

  func run() throws {
    do throws(LabError) {
      let first = try BenchReport(contentsOf: before)
      let second = try BenchReport(contentsOf: after)
      Terminal.say(lines: BenchComparison(before: first, after: second).table)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.badData
    }
  }
}
