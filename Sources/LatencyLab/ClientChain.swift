// SPDX-License-Identifier: MIT

import JACK

/// Pass-through clients, one after the other: a load for the graph and a path to measure.
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
