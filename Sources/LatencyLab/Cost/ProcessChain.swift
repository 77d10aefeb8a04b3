// SPDX-License-Identifier: MIT

import JACK

/// Clients that are processes of their own, connected one after the other.
final class ProcessChain {
  /// The output of each client, in their order.
  let outputs: [String]
  private let processes: [PeerProcess]

  /// Starts the clients and connects them.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments, with `{name}` and `{server}`.
  ///   - count: How many.
  ///   - server: The server's name.
  /// - Throws: ``LabError`` `tool` when a client does not come with an input and an output, or `jack`.
  init(_ command: [String], count: Int, server: String) async throws(LabError) {
    var processes: [PeerProcess] = []
    var ports: [(input: String, output: String)] = []
    let opened: OpenedClient
    do throws(JACKError) {
      opened = try OpenedClient.open(name: "multiroute-bench-chain", server: server)
    } catch {
      throw LabError(error)
    }
    let connection = opened.connection
    for number in 1...count {
      let name = "link-\(number)"
      let words = command.map {
        $0.replacing("{name}", with: name).replacing("{server}", with: server)
      }
      let process = try PeerProcess(
        words[0],
        Array(words.dropFirst()),
        environment: ["JACK_DEFAULT_SERVER": server, "JACK_NO_START_SERVER": "1"],
      )
      processes.append(process)
      let found = try await Self.ports(of: name, connection, process, words[0])
      if let last = ports.last {
        try await Self.connect(last.output, to: found.input, connection)
      }
      ports.append(found)
    }
    self.processes = processes
    outputs = ports.map(\.output)
    _ = opened.close()
  }

  /// Ends the clients.
  func close() {
    for process in processes.reversed() { process.stop() }
  }

  /// Connects two ports as soon as both clients are in the graph: ports come a moment before.
  private static func connect(
    _ source: String,
    to destination: String,
    _ connection: ClientConnection,
  ) async throws(LabError) {
    for attempt in 1... {
      do throws(JACKError) {
        _ = try connection.connect(source, to: destination)
        return
      } catch {
        if attempt == 100 { throw LabError(error) }
      }
      try await LabError.sleep(.milliseconds(20))
    }
  }

  private static func ports(
    of client: String,
    _ connection: ClientConnection,
    _ process: PeerProcess,
    _ program: String,
  ) async throws(LabError) -> (input: String, output: String) {
    for _ in 0..<200 where !process.hasEnded {
      let found = try LabError.wrapping { () throws(JACKError) in
        let pattern = "^\(client):"
        let inputs = try connection.ports(
          matching: pattern,
          kind: AudioKind.self,
          flags: .input
        )
        let outputs = try connection.ports(
          matching: pattern,
          kind: AudioKind.self,
          flags: .output
        )
        return (inputs.first?.name, outputs.first?.name)
      }
      if let input = found.0, let output = found.1 { return (input, output) }
      try await LabError.sleep(.milliseconds(50))
    }
    throw LabError(
      .tool,
      "\(program): no client \(client) with an audio input and an audio output came within 10 s",
    )
  }
}
