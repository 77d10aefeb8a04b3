// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Console
import ControlProtocol
import ControlSocket
import FoundationEssentials

/// `multiroute apply GRAPH`: gives a running host another version of its graph.
struct ApplyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Give a running host another version of its graph, while it plays.",
    discussion: """
      Prints what changes and what is heard of it. A graph with errors changes nothing. Exit status 0; with --dry-run 0 for nothing to do and 1 for \
      changes; 65 for a graph with errors, 69 when no host is running or a step fails. Example: multiroute apply dj.yaml --dry-run
      """,
  )

  @OptionGroup var host: HostOption

  @Argument(
    help: ArgumentHelp("The graph file.", valueName: "graph"),
    completion: .file(extensions: ["yaml"]),
  )
  var path: String

  @Flag(name: .customLong("dry-run"), help: "Print the plan, and change nothing.")
  var isDry = false

  @Flag(help: "Print the plan as JSON.")
  var json = false

  /// The shortest lengthening of a pause that is worth a line.
  private static let noticedMilliseconds = 10.0

  /// The host's answer, or its refusal, which has a line for each fault.
  private enum Answer: Sendable {
    case result(ApplyGraph.Result)
    case refusal(ControlError)
  }

  func run() async throws {
    let params = ApplyGraph.Params(path: try absolutePath(), dryRun: isDry)
    let answer = try await host.withClient { client in
      do {
        return Answer.result(try await client.call(ApplyGraph.self, params))
      } catch let error as ControlClientError {
        guard case .refused(let refusal) = error.code, refusal.data == nil else { throw error }
        return Answer.refusal(refusal)
      }
    }
    switch answer {
    case .refusal(let refusal):
      Terminal.complain(lines: "\(refusal.message)\nerror: nothing is changed")
      throw refusal.code == .badValue ? ExitCode.badData : ExitCode.unavailable
    case .result(let result):
      try show(result)
      if isDry, !result.plan.isEmpty { throw ExitCode(1) }
    }
  }

  /// The path as the host, which has another working directory, can open it; a graph of standard input is not there for it.
  private func absolutePath() throws -> String {
    guard !path.hasPrefix("/dev/"), path != "-" else {
      Terminal.complain("error: \(path): the host reads the graph itself; name a file")
      throw ExitCode.badData
    }
    return URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
  }

  private func show(_ result: ApplyGraph.Result) throws {
    if json { return try Terminal.say(json: result) }
    for line in PlanView.lines(result.plan, path: path) { Terminal.say(line) }
    guard !result.plan.isEmpty else { return }
    Terminal.say("")
    Terminal.say(
      result.applied
        ? "version \(result.version.number) of the graph is in force"
        : "nothing is changed; without --dry-run the host takes this version"
    )
    if result.lateMilliseconds >= Self.noticedMilliseconds {
      let late = Int(result.lateMilliseconds.rounded(.up))
      Terminal.say("the pauses were \(late) ms longer than planned: the machine was busy")
    }
    Terminal.complain(result.addresses)
  }
}
