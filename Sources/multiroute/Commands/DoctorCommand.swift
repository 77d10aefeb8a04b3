// SPDX-License-Identifier: MIT

import ArgumentParser
import Host
import LatencyLab
import Logging

/// `multiroute doctor`: what on this machine keeps audio from being good.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Tell what on this machine keeps audio from being good, and what mends it.",
    discussion: """
      Changes nothing. Exit status 0 when there is no problem, 1 otherwise. With --measure it tries \
      on dummy servers of its own what settings cost, and puts back what it changed.
      """,
  )

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Measure what settings cost, where that can be tried; takes about a minute.")
  var measure = false

  func run() async throws {
    let findings = Doctor.examine()
    if !json {
      for line in findings.flatMap(\.lines) { Terminal.say(line) }
    }
    let costs = measure ? try await measured() : []
    if json {
      Terminal.say(try JSONLine.text(Examination(findings: findings, measured: costs)))
    } else {
      for cost in costs { Terminal.say("measured  \(cost.line)") }
    }
    if findings.contains(where: { $0.severity == .problem }) { throw ExitCode.failure }
  }

  private func measured() async throws -> [SettingCost] {
    Log.begin(at: .error)
    let line = ProgressLine()
    defer { line.end() }
    do throws(LabError) {
      return try await SettingCosts().measure { line.show($0) }
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }

  private struct Examination: Encodable {
    var findings: [Finding]
    var measured: [SettingCost]
  }
}
