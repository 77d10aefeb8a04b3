// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// `multiroute bench compare A B`: what changed beyond the noise.
struct BenchCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Tell what changed between two reports beyond the noise.",
  )

  @Argument(help: "The report of before, JSON lines.")
  var before: String

  @Argument(help: "The report of after, JSON lines.")
  var after: String

  func run() throws {
    do throws(LabError) {
      let first = try BenchReport(contentsOf: before)
      let second = try BenchReport(contentsOf: after)
      Terminal.say(BenchComparison(before: first, after: second).table)
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.badData
    }
  }
}
