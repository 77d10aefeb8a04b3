// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import Foundation
internal import Glibc
internal import SystemSupport

/// Starts a host for this user when none is running.
enum HostStarter {
  /// The graph of a host for apps: the server's first two outputs and first two inputs, and no sources.
  static let graph = """
    multiroute: 1
    name: apps
    session: {category: multiRoute, options: [mixWithOthers]}
    server: {start: ifNeeded, driver: automatic, channels: {capture: 2, playback: 2}}
    routes:
      main: {type: builtInSpeaker, ports: [system:playback_1, system:playback_2]}
      microphone:
        {type: builtInMic, direction: input, ports: [system:capture_1, system:capture_2]}
    sources: {}
    mix: []
    """

  /// Starts the host and waits until its socket answers.
  ///
  /// The host outlives the app, because other apps may use it by then.
  ///
  /// - Parameter settings: The host's program, graph and name.
  /// - Throws: `noHost`, with the cause and the remedy.
  ///
  /// [control-thread]
  static func start(_ settings: AVAudioSession.HostSettings) throws(HostFault) {
    let program = try findProgram(settings.program)
    let graph: String
    if let given = settings.graph { graph = given } else { graph = try writeGraph() }
    var arguments = ["run", graph, "--json"]
    if let host = settings.host, !host.contains("/") { arguments += ["--name", host] }
    let child: ChildProcess
    do throws(SystemError) {
      child = try ChildProcess.start(program, arguments, bond: .detached)
    } catch {
      throw .noHost(
        "no host is running, and \(program) cannot be started: \(error.reason); check MULTIROUTE_PROGRAM"
      )
    }
    let deadline = ContinuousClock.now + .seconds(max(10, settings.limitSeconds))
    while ContinuousClock.now < deadline {
      if let path = try? settings.socketPath(), SocketProbe.isListening(path) { return }
      if let exit = child.exit, exit.shellCode != 0 {
        throw .noHost(
          "no host is running, and '\(program) run \(graph)' ended with status \(exit.shellCode); "
            + "run it by hand to see why",
        )
      }
      usleep(10_000)
    }
    throw .noHost(
      "no host is running, and the one started with '\(program) run \(graph)' does not answer; "
        + "run it by hand to see why"
    )
  }

  private static func findProgram(_ wanted: String?) throws(HostFault) -> String {
    if let wanted { return wanted }
    guard let found = Machine.this.program("multiroute") else {
      throw .noHost(
        "no host is running, and no program 'multiroute' is on PATH to start one; run "
          + "'multiroute run GRAPH', or set MULTIROUTE_PROGRAM",
      )
    }
    return found
  }

  private static func writeGraph() throws(HostFault) -> String {
    let directory = SocketPath.directory()
    let path = directory + "/apps.yaml"
    do {
      // The host starts programs that this file names: nobody else may write to its folder.
      try SocketDirectory.prepare(directory)
      try graph.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .noHost(
        "no host is running, and the graph file \(path) for one cannot be written: \(error)"
      )
    }
    return path
  }
}
