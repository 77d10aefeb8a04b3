// SPDX-License-Identifier: MIT

public import ArgumentParser
import CommandSupport
import Doctor
import Glibc
public import GraphFiles
import Host
import Logging
import UnixSignals

/// `multiroute run GRAPH`: runs the host in the foreground.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a graph: attach to JACK (or start it), play, and serve the control socket.",
    discussion: """
      Ctrl-C, SIGTERM or a closed terminal fades out and ends it. Ctrl-Z is ignored: nothing may stop the audio. Exit status 65 for a graph with errors, 69 when no JACK \
      server is running and none may be started.
      """,
  )

  @Argument(help: ArgumentHelp("The graph file.", valueName: "graph"))
  var path: String

  @OptionGroup var overrides: GraphOverrides

  @Option(
    help: ArgumentHelp("Stop after this time, such as 10s or 5min.", valueName: "duration"),
    transform: QuantityArgument.seconds,
  )
  var duration: Double?

  @Flag(help: "Print one JSON object per event.")
  var json = false

  @Flag(help: "Print plain lines without live meters, as into a pipe.")
  var plain = false

  @Flag(help: "Print every event, with the decisions of the control tower.")
  var events = false

  @Flag(inversion: .prefixedNo, help: "Connect ports as the graph asks.")
  var connect = true

  @Flag(
    name: .customLong("guard"),
    inversion: .prefixedNo,
    help: "Start a guard that connects adopted clients to the hardware if the host dies.",
  )
  var hasGuard = true

  @Flag(help: "Forget what users changed in earlier runs, except their answers about permissions.")
  var fresh = false

  @Option(
    name: .customLong("event-log"),
    help: ArgumentHelp("Append every event of the control tower to a file.", valueName: "file"),
  )
  var eventLog: String?

  @Option(
    help: "The log level on standard error: trace, debug, info, notice, warning, error.",
    transform: LogLevelArgument.parse,
  )
  var log = Logger.Level.warning

  func run() async throws {
    if let fault = ProcessLimits.hostFault {
      Terminal.complain("error: \(fault)")
      throw ExitCode.systemLimit
    }
    var graph: GraphFile
    do throws(GraphFileErrors) {
      graph = try GraphFile.load(path: path, files: .audio)
    } catch {
      Terminal.complain(lines: error.description)
      throw ExitCode.badData
    }
    try overrides.apply(to: &graph)
    let session = try ManagedSession(application: "MultiRoute", capabilities: [])
    if let session { graph.name = try await session.waitForName() }
    var configuration = HostConfiguration(graph: graph)
    configuration.connectsPorts = connect
    configuration.startsFresh = fresh
    configuration.guardProgram = hasGuard ? try ThisProgram.path() : nil
    configuration.eventLogPath = eventLog
    Terminal.waitsForNoReader()
    defer { Terminal.finish() }
    let screen = RunScreen(json: json, plain: plain, showsAllEvents: events)
    configuration.metersIntervalNanoseconds = screen.metersIntervalNanoseconds
    Log.begin(at: log)
    if let problem = Doctor.realtimeProblem() {
      Terminal.complain(
        "warning: real-time scheduling is not allowed for this user, so other programs can interrupt the audio; "
          + "'multiroute doctor' shows the remedy: \(problem.remedy ?? "ask the administrator")"
      )
    }
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
    var fault: (any Error)?
    for await output in host.outputs where fault == nil {
      // The terminal may be gone; the host plays on, and ends in an orderly manner.
      do { try screen.show(output) } catch { fault = error }
    }
    if let fault { throw fault }
  }
}

/// Stops a host on SIGINT, on SIGTERM, on SIGHUP (its terminal was closed), or after the time of `--duration`.
///
/// Belongs to the control thread.
struct HostEnding {
  let host: Host
  let durationSeconds: Double?

  /// Begins to wait; the first of them stops the host.
  func begin() {
    let host = host
    // A stopped host holds up every JACK client that is opened.
    for stop in [SIGTSTP, SIGTTIN, SIGTTOU] { _ = signal(stop, SIG_IGN) }
    Task {
      for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
        await host.stop()
      }
    }
    if let durationSeconds {
      Task {
        try await Task.sleep(for: .seconds(durationSeconds))
        await host.stop()
      }
    }
  }
}

extension ExitCode {
  /// The exit code for a fault of the host. [any-thread]
  init(_ error: HostError) {
    self =
      switch error.code {
      case .noServer, .noSocket: .unavailable
      case .badGraph: .badData
      case .jack: .software
      }
  }
}

/// The flags that override values of a graph file.
///
/// Pure value: [any-thread].
struct GraphOverrides: ParsableArguments {
  @Option(help: "The name of the JACK client and of the control socket.")
  var name: String?

  @Option(name: [.customShort("n"), .customLong("server")], help: "The name of the JACK server.")
  var server: String?

  @Option(help: "The driver of a server that the host starts: automatic, alsa, dummy, …")
  var driver: GraphFile.Server.Driver?

  @Option(
    help: ArgumentHelp("The preferred sample rate, such as 48kHz.", valueName: "rate"),
    transform: QuantityArgument.wholeHertz,
  )
  var rate: Int?

  @Option(help: ArgumentHelp("The preferred I/O buffer.", valueName: "frames"))
  var frames: Int?

  @Flag(name: .customLong("no-start-server"), help: "Never start a JACK server.")
  var neverStartsServer = false

  @Option(
    name: .customLong("osc"),
    defaultAsFlag: GraphFile.Surfaces.OSC().port,
    help: ArgumentHelp(
      "Serve all parameters over OSC, on this port of UDP and TCP (9000).",
      valueName: "port",
    )
  )
  var oscPort: Int?

  @Option(
    help: ArgumentHelp(
      "An ALSA device that stands in for those of routes, on a machine without sound cards.",
      valueName: "device",
    )
  )
  var standIn: String?

  /// Changes the graph.
  func apply(to graph: inout GraphFile) throws {
    if let name { graph.name = name }
    if let server { graph.server.name = server }
    if let driver { graph.server.driver = driver }
    if neverStartsServer { graph.server.start = .never }
    if let rate { graph.session.preferred.sampleRateHz = rate }
    if let frames { graph.session.preferred.ioBuffer = .frames(frames) }
    if let oscPort {
      graph.surfaces.osc = graph.surfaces.osc ?? GraphFile.Surfaces.OSC()
      graph.surfaces.osc?.port = oscPort
    }
    if let standIn {
      for index in graph.routes.indices {
        guard case .device(var device) = graph.routes[index].helper else { continue }
        Terminal.complain(
          "no sound card here: the ALSA device \"\(standIn)\", with a clock of its own, stands in for "
            + "\"\(device.name)\" of route '\(graph.routes[index].name)'"
        )
        device.name = standIn
        graph.routes[index].helper = .device(device)
      }
    }
  }

  func validate() throws {
    if let rate, !(8000...768_000).contains(rate) {
      throw ValidationError("--rate \(rate) is out of range; allowed: 8000 to 768000 Hz")
    }
    if let oscPort, !(1...65_535).contains(oscPort) {
      throw ValidationError("--osc \(oscPort) is out of range; allowed: 1 to 65535")
    }
    let sizes = GraphFile.Session.Preferred.frameLimits
    if let frames, !sizes.contains(frames) {
      throw ValidationError(
        "--frames \(frames) is out of range; allowed: \(sizes.lowerBound) to \(sizes.upperBound)"
      )
    }
    if let name, name.isEmpty || name.utf8.count > 63 || name.contains(where: ":/ ".contains) {
      throw ValidationError(
        "--name '\(name)' is not a client name; allowed: 1 to 63 bytes without ':', '/' and blank"
      )
    }
  }
}

extension GraphFile.Server.Driver: ExpressibleByArgument {}
