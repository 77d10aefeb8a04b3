// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import Foundation
internal import Glibc

/// Starts a host of the user's own where none runs.
enum HostStarter {
  /// A host for apps: the server's first two outputs, its first two inputs, and nobody else's music.
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
  /// The host outlives the app: others may have come to use it.
  ///
  /// - Parameter settings: Which program and graph.
  /// - Throws: `noHost`, with what is missing.
  static func start(_ settings: AVAudioSession.HostSettings) throws(HostFault) {
    let program = try findProgram(settings.program)
    let graph: String
    if let given = settings.graph { graph = given } else { graph = try writeGraph() }
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = ["run", graph, "--json"]
    if let host = settings.host, !host.contains("/") {
      process.arguments?.append(contentsOf: ["--name", host])
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw .noHost("no host runs, and \(program) cannot be started: \(error)")
    }
    let deadline = Date(timeIntervalSinceNow: max(10, settings.limitSeconds))
    while Date() < deadline {
      if let path = try? settings.socketPath(), SocketProbe.isListening(path) { return }
      if !process.isRunning, process.terminationStatus != 0 {
        throw .noHost(
          "no host runs, and \(program) run \(graph) ended with code \(process.terminationStatus); "
            + "run it by hand to see why",
        )
      }
      usleep(10_000)
    }
    throw .noHost("no host runs, and the one started from \(program) does not answer")
  }

  private static func findProgram(_ wanted: String?) throws(HostFault) -> String {
    if let wanted { return wanted }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    let found = path.split(separator: ":").map { "\($0)/multiroute" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let found else {
      throw .noHost(
        "no host runs, and there is no program multiroute on PATH to start one with; run "
          + "'multiroute run GRAPH', or set MULTIROUTE_PROGRAM",
      )
    }
    return found
  }

  private static func writeGraph() throws(HostFault) -> String {
    let directory = SocketPath.directory()
    let path = directory + "/apps.yaml"
    do {
      try FileManager.default.createDirectory(
        atPath: directory,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700],
      )
      try graph.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .noHost("no host runs, and its graph file \(path) cannot be written: \(error)")
    }
    return path
  }
}
