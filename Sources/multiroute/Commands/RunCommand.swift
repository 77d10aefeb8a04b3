// SPDX-License-Identifier: MIT

import ArgumentParser
import GraphFiles
import Host
import Logging

/// `multiroute run GRAPH`: the host, in the foreground.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a graph: attach to JACK (or start it), play, and serve the control socket.",
    discussion: """
      Ends with Ctrl-C or SIGTERM: fades out and leaves. Exit status 65 for a graph with errors, \
      69 when no JACK server answers and none may be started.
      """,
  )

  @Argument(help: ArgumentHelp("The graph file.", valueName: "graph"))
  var path: String

  @OptionGroup var overrides: GraphOverrides

  @Option(
    help: ArgumentHelp("Stop by itself after this many seconds.", valueName: "seconds")
  )
  var duration: Double?

  @Flag(help: "Print one JSON object per event.")
  var json = false

  @Flag(inversion: .prefixedNo, help: "Connect ports as the graph asks.")
  var connect = true

  @Flag(
    name: .customLong("guard"),
    inversion: .prefixedNo,
    help: "Have a guard patch adopted clients to the hardware should the host die.",
  )
  var hasGuard = true

  @Flag(help: "Forget what users changed in earlier runs, but for their answers to questions.")
  var fresh = false

  @Option(
    name: .customLong("event-log"),
    help: ArgumentHelp("Append every event of the control tower to a file.", valueName: "file"),
  )
  var eventLog: String?

  @Option(
    help: "How much to log to standard error: trace, debug, info, notice, warning, error.",
    transform: LogLevelArgument.parse,
  )
  var log = Logger.Level.warning

  func run() async throws {
    var graph: GraphFile
    do throws(GraphFileErrors) {
      graph = try GraphFile.load(path: path, files: .audio)
    } catch {
      Terminal.complain(error.description)
      throw ExitCode.badData
    }
    try overrides.apply(to: &graph)
    let session = try ManagedSession(application: "MultiRoute", capabilities: [])
    if let session { graph.name = try await session.waitForName() }
    var configuration = HostConfiguration(graph: graph)
    configuration.connectsPorts = connect
    configuration.startsFresh = fresh
    configuration.guardProgram = hasGuard ? try Program.path() : nil
    configuration.eventLogPath = eventLog
    let screen = RunScreen(json: json)
    configuration.metersIntervalNanoseconds = screen.metersIntervalNanoseconds
    Log.begin(at: log)
    let host = Host(configuration: configuration, logger: Logger(label: "multiroute"))
    let ending = HostEnding(host: host, durationSeconds: duration)
    ending.begin()
    do throws(HostError) {
      try await host.start()
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode(error)
    }
    let serving = session.map { session in Task { await session.serve() } }
    defer { serving?.cancel() }
    for await output in host.outputs { try screen.show(output) }
  }
}
