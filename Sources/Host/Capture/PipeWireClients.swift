// SPDX-License-Identifier: MIT

internal import JACK

/// Asks PipeWire whose its JACK clients are; /proc does not tell there.
struct PipeWireClients: Sendable {
  private let tool: ToolProcess

  /// Makes the question to the PipeWire that the process's environment leads to.
  ///
  /// - Parameter environment: What is changed of the process's environment.
  init(environment: [String: String] = [:]) {
    tool = ToolProcess(
      name: "pw-cli",
      package: "pipewire-bin",
      environment: environment,
      timeLimit: .seconds(2),
    )
  }

  /// The process of a client.
  ///
  /// - Parameter client: Its name, as JACK gave it.
  /// - Returns: Nil where PipeWire does not tell, or has several of that name.
  func process(ofClient client: String) async -> ClientProcess? {
    guard let nodes = try? await tool.run(["ls", "Node"]),
      let clients = try? await tool.run(["ls", "Client"])
    else { return nil }
    let owners = Self.objects(nodes.standardOutput)
      .filter { $0["node.name"] == client }.compactMap { $0["client.id"] }
    let pids = Self.objects(clients.standardOutput)
      .filter { $0["id"].map(owners.contains) ?? false }
      .compactMap { $0["pipewire.sec.pid"].flatMap(Int32.init) }
    return pids.count == 1 ? ClientProcess(pid: pids[0]) : nil
  }

  /// Reads what `pw-cli ls` prints: a line with the id of each object, and its properties below.
  static func objects(_ text: String) -> [[String: String]] {
    var objects: [[String: String]] = []
    for line in text.split(separator: "\n").map({ $0.drop { $0 == " " || $0 == "\t" } }) {
      if line.hasPrefix("id "), let end = line.firstIndex(of: ",") {
        objects.append(["id": String(line[..<end].dropFirst(3))])
      } else if let mark = line.firstRange(of: " = \""), line.hasSuffix("\""), !objects.isEmpty {
        let value = line[mark.upperBound...].dropLast()
        objects[objects.count - 1][String(line[..<mark.lowerBound])] = String(value)
      }
    }
    return objects
  }
}
