// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc

/// A host of a measurement's own: a child process with a graph of the measurement's.
///
/// Belongs to the control thread.
final class BenchHost {
  /// The folder that it and its sessions live in; `XDG_RUNTIME_DIR` of both.
  let folder: String
  /// The name of its socket.
  let name: String
  private let program: String
  private let server: String
  private var process: PeerProcess

  /// Its process id.
  var pid: Int32 { process.pid }

  /// Starts the host on a running server, and waits until its socket answers.
  ///
  /// - Parameters:
  ///   - program: The path of the `multiroute` program.
  ///   - graph: The graph file's text; it names no host.
  ///   - name: The host's name.
  ///   - server: The server's name.
  /// - Throws: ``LabError`` `badFile`, `tool`, `host` or `cancelled`.
  init(
    program: String,
    graph: String,
    name: String,
    server: String,
  ) async throws(LabError) {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "\(name)-\(getpid())").path(percentEncoded: false)
    self.name = name
    self.program = program
    self.server = server
    try OutputFile.makeDirectory(folder)
    try OutputFile.write(graph, to: "\(folder)/graph.yaml")
    process = try Self.start(program, name: name, server: server, folder: folder)
    try await waitUntilRunning()
  }

  /// Kills it as a crash would; ``restart()`` starts it again with the same name and graph.
  func crash() { process.crash() }

  /// Starts it again after ``crash()``, and waits until its socket answers.
  ///
  /// - Throws: ``LabError`` `tool`, `host` or `cancelled`.
  func restart() async throws(LabError) {
    process.stop()
    process = try Self.start(program, name: name, server: server, folder: folder)
    try await waitUntilRunning()
  }

  private static func start(
    _ program: String,
    name: String,
    server: String,
    folder: String,
  ) throws(LabError) -> PeerProcess {
    try PeerProcess(
      program,
      ["run", "\(folder)/graph.yaml", "--name", name, "--json", "--server", server]
        + ["--no-start-server"],
      environment: environment(folder),
    )
  }

  private func waitUntilRunning() async throws(LabError) {
    for _ in 0..<Self.patience {
      if let client = try? await connect() {
        let status = try? await client.call(GetStatus.self)
        await client.close()
        if status?.server.state == .running { return }
      }
      try await LabError.sleep(.milliseconds(50))
    }
    stop()
    throw LabError(.host, "\(program): did not come up as a host within 10 s")
  }

  /// The path of its socket.
  ///
  /// - Throws: ``LabError`` `host`.
  func socketPath() throws(LabError) -> String {
    do throws(ControlServerError) {
      return try SocketPath.path(hostName: name, directory: "\(folder)/multiroute")
    } catch {
      throw LabError(.host, error.description)
    }
  }

  /// A connection to its socket.
  ///
  /// - Throws: ``LabError`` `host`.
  func connect() async throws(LabError) -> ControlClient {
    do throws(ControlClientError) {
      return try await ControlClient.connect(
        to: .name(name),
        directory: "\(folder)/multiroute",
        clientName: "bench",
      )
    } catch {
      throw LabError(.host, error.description)
    }
  }

  /// Starts `multiroute session …` against it.
  ///
  /// - Throws: ``LabError`` `tool`.
  func session(_ arguments: [String]) throws(LabError) -> PeerProcess {
    try PeerProcess(
      program,
      ["session"] + arguments.prefix(1) + ["--host", name] + arguments.dropFirst(),
      environment: Self.environment(folder),
    )
  }

  /// Ends it and deletes its folder.
  func stop() {
    process.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func environment(_ folder: String) -> [String: String] {
    ["XDG_RUNTIME_DIR": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder]
  }

  private static let patience = 200
}

extension ControlClient {
  /// Calls a method, its error becoming one of the lab.
  func ask<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
  ) async throws(LabError) -> Method.Result {
    do throws(ControlClientError) {
      return try await call(method, params)
    } catch {
      throw LabError(.host, error.description)
    }
  }
}
