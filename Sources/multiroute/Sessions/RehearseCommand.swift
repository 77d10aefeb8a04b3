// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import GraphFiles
import Host
import Sessions
import SystemSupport

/// `multiroute rehearse GRAPH`: what the policy of a graph does on recorded or written events.
struct RehearseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rehearse",
    abstract: "Print who would be heard when, and why, with the policy of a graph.",
    discussion: """
      Needs neither a host nor a JACK server. The events are a log of 'multiroute run --event-log FILE', or written by hand \
      (docs/sessions.md). Example: multiroute rehearse graphs/policies/car.yaml --events graphs/policies/events/drive.yaml
      """,
  )

  @Argument(
    help: ArgumentHelp("The graph file, or a policy file.", valueName: "graph"),
    completion: .file(extensions: ["yaml"]),
  )
  var path: String

  @Option(help: ArgumentHelp("The events: a recorded log, or a written file.", valueName: "file"))
  var events: String

  @Option(
    help: ArgumentHelp(
      "Print only what another graph would do otherwise.",
      valueName: "other-graph"
    )
  )
  var against: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Option(help: ArgumentHelp("Write a time line as an SVG picture, too.", valueName: "file"))
  var svg: String?

  func run() throws {
    let file = try read { () throws(GraphFileErrors) in try EventFile.load(path: events) }
    let first = try rehearsal(of: path, file)
    let second = try against.map { try rehearsal(of: $0, file) }
    let comparison = second.map { RehearsalComparison(first, $0) }
    if let svg {
      let titles = [path, against].compactMap { $0 }
      let timeline = RehearsalTimeline(
        zip(titles, [first, second].compactMap { $0 }).map { (title: $0, rehearsal: $1) }
      )
      try write(timeline.svg, to: svg)
    }
    if json {
      return try Terminal.say(
        json: RehearsalReport(
          graph: path,
          against: against,
          rehearsal: first,
          comparison: comparison,
        )
      )
    }
    for line in text(first, comparison) { Terminal.say(line) }
  }

  private func text(_ rehearsal: Rehearsal, _ comparison: RehearsalComparison?) -> [String] {
    guard let comparison, let against else { return RehearsalView.lines(rehearsal) }
    let count = comparison.differences.count { !$0.isOver }
    guard count > 0 else {
      return ["\(path) and \(against) do the same on \(rehearsal.moments.count) events"]
    }
    return ["\(path) → \(against): \(count) difference\(count == 1 ? "" : "s")"]
      + RehearsalView.lines(comparison)
  }

  private func rehearsal(of path: String, _ file: EventFile) throws -> Rehearsal {
    try read { () throws(GraphFileErrors) in
      let graph = try GraphFile.load(path: path, files: .audio)
      let script =
        switch file {
        case .recorded(let log): RehearsalScript(log)
        case .written(let script): try script.log(for: graph)
        }
      return Rehearsal(of: script, with: graph.rehearsedPolicy)
    }
  }

  private func read<Value>(_ body: () throws(GraphFileErrors) -> Value) throws -> Value {
    do throws(GraphFileErrors) {
      return try body()
    } catch {
      Terminal.complain(lines: error.description)
      throw ExitCode.badData
    }
  }

  private func write(_ text: String, to path: String) throws {
    do throws(FileReplacement.Fault) {
      try FileReplacement.replace(path, with: Array(text.utf8))
    } catch {
      Terminal.complain("error: the time line is not written: \(error)")
      throw ExitCode.cannotCreate
    }
  }
}
