// SPDX-License-Identifier: MIT

import ArgumentParser
import Host

/// `multiroute doctor`: what on this machine keeps audio from being good.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Tell what on this machine keeps audio from being good, and what mends it.",
    discussion: "Changes nothing. Exit status 0 when there is no problem, 1 otherwise.",
  )

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let findings = Doctor.examine()
    if json {
      Terminal.say(try JSONLine.text(["findings": findings]))
    } else {
      for line in findings.flatMap(\.lines) { Terminal.say(line) }
    }
    if findings.contains(where: { $0.severity == .problem }) { throw ExitCode.failure }
  }
}
