// SPDX-License-Identifier: MIT

import JACK

/// Pass-through clients, one after the other: a load for the graph and a path to measure.
///
/// Belongs to the control thread.
final class ClientChain {
  private let clients: [LabClient<PassThrough>]

  /// The chain's first input.
  let inputPort: String?
  /// The chain's last output.
  let outputPort: String?

  /// Opens and connects the clients.
  init(count: Int, name: String, server: String?) throws(LabError) {
    var clients: [LabClient<PassThrough>] = []
    for number in 0..<count {
      let client = try PassThrough.client(name: "\(name)-\(number)", server: server)
      if let last = clients.last {
        _ = try LabError.wrapping { () throws(JACKError) in
          try client.connection.connect(
            "\(last.connection.name):out",
            to: "\(client.connection.name):in",
          )
        }
      }
      clients.append(client)
    }
    self.clients = clients
    inputPort = clients.first.map { "\($0.connection.name):in" }
    outputPort = clients.last.map { "\($0.connection.name):out" }
  }

  func close() {
    for client in clients.reversed() { client.close() }
  }
}

/// Clients that are processes of their own, connected one after the other.
///
/// Belongs to the control thread.
final class ProcessChain {
  /// The output of each client, in their order.
  let outputs: [String]
  private let processes: [PeerProcess]

  /// Starts the clients and connects them.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments, with `{name}` and `{server}`.
  ///   - count: The number of clients.
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
        try await connection.connectOnceActive(last.output, to: found.input)
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

extension ClientConnection {
  /// Connects two ports as soon as both clients are active: a client's ports come a moment before.
  ///
  /// - Parameters:
  ///   - source: The output port.
  ///   - destination: The input port.
  ///   - attempts: The number of attempts, 20 ms apart; two seconds by default.
  /// - Throws: ``LabError`` `jack` with the last refusal, or `cancelled`.
  ///
  /// [control-thread]
  func connectOnceActive(
    _ source: String,
    to destination: String,
    attempts: Int = 100,
  ) async throws(LabError) {
    for attempt in 1... {
      do throws(JACKError) {
        _ = try connect(source, to: destination)
        return
      } catch {
        if attempt >= attempts { throw LabError(error) }
      }
      try await LabError.sleep(.milliseconds(20))
    }
  }
}
