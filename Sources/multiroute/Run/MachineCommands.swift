// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import Doctor
import FoundationEssentials
import GraphFiles
import Host
import Logging

/// `multiroute devices`: lists cards and ports that can be routes.
struct DevicesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract:
      "List cards and JACK ports that can be routes, their use in a graph, and routes to paste.",
  )

  @Argument(
    help: ArgumentHelp("A graph file, to show its use of them.", valueName: "graph"),
    completion: .file(extensions: ["yaml"]),
  )
  var path: String?

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    Log.begin(at: .error)
    var graph: GraphFile?
    if let path {
      do throws(GraphFileErrors) {
        graph = try GraphFile.load(path: path)
      } catch {
        Terminal.complain(lines: error.description)
        throw ExitCode.badData
      }
    }
    let survey = DeviceSurvey(graph: graph, server: server ?? graph?.server.name)
    if json {
      try Terminal.say(json: survey)
    } else {
      Terminal.say(lines: DeviceLines.lines(survey).joined(separator: "\n"))
    }
  }
}

/// A survey of devices as text.
///
/// Pure value: [any-thread].
enum DeviceLines {
  static func lines(_ survey: DeviceSurvey) -> [String] {
    var lines = [survey.server.map { "JACK server: \($0)" } ?? "no JACK server is running"]
    if survey.isPipeWire {
      lines.append(
        "PipeWire drives the cards: use its sinks and sources as routes; no bridge is needed"
      )
    }
    var table = Table(["kind", "name", "direction", "channels", "type", "use"])
    for entry in survey.entries {
      table.add([
        entry.kind, entry.name, entry.direction,
        entry.ports.isEmpty ? "–" : "\(entry.ports.count)", entry.type, entry.use,
      ])
    }
    lines +=
      survey.entries.isEmpty
      ? ["no card or port can be a route"] : table.lines(width: Terminal.columns)
    for missing in survey.missing {
      lines.append(
        "route '\(missing.route)' finds no \(missing.wants)"
          + (missing.fallback.map { "; until then it is heard on '\($0)'" } ?? "")
      )
      if let line = missing.line { lines.append("  write for it:  \(line)") }
    }
    let blocks = survey.entries.compactMap(\.block)
    guard !blocks.isEmpty else { return lines }
    return lines + ["", "routes to paste:", "routes:"] + blocks
  }
}

/// `multiroute doctor`: says what harms audio on this machine.
struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Say what harms audio on this machine, and which command mends it.",
    discussion: """
      Changes nothing. Exit status 0 when there is no problem, 1 otherwise. With --measure it measures \
      the cost of settings on dummy servers of its own, and restores what it changed.
      """,
  )

  @Flag(help: "Print one JSON object.")
  var json = false

  @Flag(help: "Measure the cost of settings, where that is possible; takes about a minute.")
  var measure = false

  func run() async throws {
    let findings = Doctor.examine()
    if !json {
      for line in findings.flatMap(\.lines) { Terminal.say(line) }
    }
    let costs =
      measure ? try await LabProgram.output(["bench", "settings"] + (json ? ["--json"] : [])) : ""
    if json {
      let measured = measure ? try Self.values(costs) : []
      try Terminal.say(json: Examination(findings: findings, measured: measured))
    } else {
      for line in costs.split(separator: "\n") { Terminal.say("measured  \(line)") }
    }
    if findings.contains(where: { $0.severity == .problem }) { throw ExitCode.failure }
  }

  /// The lab's JSON array, value by value.
  private static func values(_ text: String) throws -> [JSONValue] {
    try JSONCoding.decoder().decode([JSONValue].self, from: Data(text.utf8))
  }

  private struct Examination: Encodable {
    var findings: [Finding]
    var measured: [JSONValue]
  }
}
