// SPDX-License-Identifier: MIT

import ArgumentParser

/// `multiroute bench …`: measurements.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench",
    abstract: "Measure what things cost.",
    subcommands: [
      BenchRoundTripCommand.self,
      BenchWakeUpCommand.self,
      BenchSweepCommand.self,
      BenchMixCommand.self,
      BenchBridgeCommand.self,
      BenchSessionCommand.self,
      BenchAdoptionCommand.self,
      BenchRolesCommand.self,
      BenchNodeCommand.self,
      BenchReportCommand.self,
      BenchCompareCommand.self,
      BridgeCardCommand.self,
      BridgeRecorderCommand.self,
      EmptyClientCommand.self,
      PassThroughClientCommand.self,
    ],
  )
}
