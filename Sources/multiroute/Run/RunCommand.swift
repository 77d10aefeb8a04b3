// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import Doctor
import Glibc
import GraphFiles
import Host
import Logging
import NSM
import SystemSupport

/// `multiroute run GRAPH`: runs the host in the foreground.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run a graph: attach to JACK (or start it), play, and serve the control socket.",
    discussion: """
      Ctrl-C, SIGTERM or a closed terminal fades out and ends it. SIGHUP applies the graph file again while it plays. Ctrl-Z is ignored: nothing may stop the audio. Exit status 65 for a graph with errors, 69 when no JACK \
      server is running and none may be started.
      """,
  )

  @Argument(
    help: ArgumentHelp(
      "The graph file. Default: the one that 'multiroute init' writes, else the shipped dj-split.",
      valueName: "graph",
    ),
    completion: .file(extensions: ["yaml"]),
  )
  var path: String?

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

  @Flag(
    help: "Follow the graph file and the files that it names, and apply them whenever one changes."
  )
  var watch = false

  @Flag(help: "Print every event, with the decisions of the control tower.")
  var events = false

  @Flag var pipeWire: PipeWireStart?

  @Flag(inversion: .prefixedNo, help: "Whether ports are connected as the graph asks.")
  var connect = true

  @Flag(
    name: .customLong("guard"),
    inversion: .prefixedNo,
    help: "Whether a guard connects adopted clients to the hardware if the host dies.",
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
    // Before signals are trapped: the next program would have them so.
    try pipeWire?.beginAgain(insteadOf: overrides.server)
    defer { Terminal.finish() }
    let stops = await StopSignals.trapped(readsAgain: true)
    let session = try await ManagedSession.join(
      application: "MultiRoute",
      capabilities: [.dirty, .message, .progress],
    )
    let screen = RunScreen(json: json, plain: plain, showsAllEvents: events)
    let host: Host
    do throws(StartFault) {
      session?.setProgress(0)
      var configuration = try configuration(in: session)
      configuration.metersIntervalNanoseconds = screen.metersIntervalNanoseconds
      host = try await start(configuration, in: session, until: stops, on: screen)
    } catch {
      // A host that is stopped while it starts has failed in nothing.
      if stops.isStopped { return }
      session?.refuse(error.code, error.description)
      Terminal.complain(lines: error.description)
      throw error.exit
    }
    let follower = GraphFollower(host: host)
    stops.whenAskedToReload {
      ServiceManager.tell(.reloading)
      await follower.applyAgain()
      ServiceManager.tell(.ready)
    }
    // Not before: who is told may ask for a reload at once.
    ServiceManager.tell(.ready)
    defer { follower.end() }
    if watch { try await follow(follower) }
    let serving = session.map { session in Task { await session.serve { try await host.save() } } }
    defer { serving?.cancel() }
    let reports = session.map { SessionReports(session: $0) }
    var fault: (any Error)?
    for await output in host.outputs where fault == nil {
      reports?.report(output)
      // The terminal may be gone; the host plays on, and ends in an orderly manner.
      do { try screen.show(output) } catch { fault = error }
      if case .event(let event) = output, event.kind == .graphApplied {
        await follower.followFiles()
      }
    }
    if let fault { throw fault }
  }

  private func follow(_ follower: GraphFollower) async throws {
    do throws(FileWatch.Fault) {
      try await follower.begin()
    } catch {
      Terminal.complain("error: --watch: the graph's files cannot be followed: \(error)")
      throw ExitCode.systemLimit
    }
  }

  /// The graph with the options of the command line.
  private func configuration(
    in session: ManagedSession?
  ) throws(StartFault) -> HostConfiguration {
    var graphPath = path
    var isShipped = false
    if path == nil, session == nil {
      graphPath = DefaultGraph.path
      isShipped = graphPath != nil && graphPath != DefaultGraph.ownPath
      if let graphPath, !json { Terminal.complain("playing \(graphPath)") }
    }
    var folder: ProjectFolder?
    if let session {
      do throws(ProjectFault) {
        let own = try ProjectFolder(session.project.path)
        graphPath = try own.graph(named: path)
        folder = own
      } catch {
        throw StartFault("error: \(error)", .badData, error.code)
      }
    }
    guard let graphPath else {
      throw StartFault(
        "error: there is no graph file to play; 'multiroute init' writes one, or name one: "
          + "multiroute run GRAPH",
        .validationFailure
      )
    }
    var graph: GraphFile
    let text: String
    do throws(GraphFileErrors) {
      text = try GraphFile.text(ofFile: graphPath)
      graph = try GraphFile.parse(text, path: graphPath, files: .audio)
    } catch {
      throw StartFault(error.description, .badData, .badProject)
    }
    // A graph that nobody has chosen is seen and mixed at once, on this machine.
    if isShipped { graph.surfaces.web = graph.surfaces.web ?? GraphFile.Surfaces.Web() }
    do throws(ValidationError) {
      try overrides.apply(to: &graph)
    } catch {
      throw StartFault("error: \(error.message)", .validationFailure)
    }
    if let session {
      if overrides.name != nil {
        Terminal.complain("note: the session manager gives the name; '--name' is not used")
      }
      graph.takeManagedName(session.project.clientID)
    }
    var configuration = HostConfiguration(graph: graph)
    configuration.graphText = text
    configuration.overrideGraph = {
      [isShipped, overrides, clientID = session?.project.clientID] graph in
      if isShipped { graph.surfaces.web = graph.surfaces.web ?? GraphFile.Surfaces.Web() }
      overrides.applyAgain(to: &graph)
      if let clientID { graph.takeManagedName(clientID) }
    }
    configuration.stateDirectory = folder?.statePath
    configuration.connectsPorts = connect
    configuration.startsFresh = fresh
    do {
      configuration.guardProgram = hasGuard ? try ThisProgram.path() : nil
      configuration.nodeFolders = try .withShippedNodes()
    } catch {
      throw StartFault("error: this program's own file cannot be found", .software)
    }
    configuration.eventLogPath = eventLog
    return configuration
  }

  /// Starts the host, and tells the session manager.
  private func start(
    _ configuration: HostConfiguration,
    in session: ManagedSession?,
    until stops: StopSignals,
    on screen: RunScreen,
  ) async throws(StartFault) -> Host {
    Terminal.waitsForNoReader()
    Log.begin(at: log)
    if let problem = Doctor.realtimeProblem() {
      Terminal.complain(
        "warning: real-time scheduling is not allowed for this user, so other programs can interrupt the audio; "
          + "'multiroute doctor' shows the remedy: \(problem.remedy ?? "ask the administrator")"
      )
    }
    let host = Host(configuration: configuration, logger: Logger(label: "multiroute"))
    let ending = HostEnding(host: host, stops: stops)
    ending.begin()
    session?.setProgress(0.5)
    do throws(HostError) {
      try await host.start()
    } catch {
      throw StartFault("error: \(error)", ExitCode(error))
    }
    if let duration { ending.end(afterSeconds: duration) }
    let addresses = await host.surfaceAddresses()
    Terminal.complain(addresses)
    if let page = addresses.first(where: { $0.kind == "web" && $0.hasToken }) {
      screen.show(code: page.url)
    }
    session?.setProgress(1)
    let path = configuration.graph.path
    session?.setLabel(path.split(separator: "/").last.map(String.init) ?? path)
    session?.opened()
    return host
  }
}

/// The reason why a host does not play, for people, scripts and a session manager.
///
/// Pure value: [any-thread].
private struct StartFault: Error {
  /// The lines for people.
  let description: String
  let exit: ExitCode
  /// The session manager's code.
  let code: NSMErrorCode

  init(_ description: String, _ exit: ExitCode, _ code: NSMErrorCode = .general) {
    self.description = description
    self.exit = exit
    self.code = code
  }
}

/// Stops a host at a signal, or after the time of `--duration`.
///
/// Belongs to the control thread.
struct HostEnding {
  let host: Host
  let stops: StopSignals

  /// Begins to wait; the first of them stops the host.
  func begin() {
    let host = host
    // A stopped host holds up every JACK client that is opened.
    for stop in [SIGTSTP, SIGTTIN, SIGTTOU] { _ = signal(stop, SIG_IGN) }
    stops.whenStopped {
      ServiceManager.tell(.stopping)
      await host.stop()
    }
  }

  /// Stops the host after a time, counted from now: a slow start shortens no performance.
  func end(afterSeconds seconds: Double) {
    let host = host
    Task {
      try await Task.sleep(for: .seconds(seconds))
      await host.stop()
    }
  }
}

extension ExitCode {
  /// The exit code for a fault of the host. [any-thread]
  init(_ error: HostError) {
    self =
      switch error.code {
      case .noServer, .noSocket, .noPort: .unavailable
      case .badGraph: .badData
      case .jack, .notKept: .software
      }
  }
}
