// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import Glibc

/// A host of a measurement's own: a child process with a graph of the measurement's.
final class BenchHost {
  /// The folder that it and its sessions live in; `XDG_RUNTIME_DIR` of both.
  let folder: String
  /// The name of its socket.
  let name: String
  private let program: String
  private let process: PeerProcess

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
    try OutputFile.makeDirectory(folder)
    let path = "\(folder)/graph.yaml"
    try OutputFile.write(graph, to: path)
    process = try PeerProcess(
      program,
      ["run", path, "--name", name, "--json", "--server", server, "--no-start-server"],
      environment: Self.environment(folder),
    )
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
