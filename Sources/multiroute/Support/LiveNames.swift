// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// The names that a running host knows, for completions in shells.
///
/// Without a host, or with one that does not answer at once, there are none.
///
/// Pure values: [any-thread].
enum LiveNames {
  /// Strips and output routes.
  static let targets = completion { client in
    let status = try await client.call(GetStatus.self)
    return status.strips.map(\.id)
      + status.routes.filter { $0.direction == .output }.map(\.name)
  }

  /// Strips.
  static let strips = completion { try await $0.call(GetStatus.self).strips.map(\.id) }

  /// Routes of both directions.
  static let routes = completion { try await $0.call(GetStatus.self).routes.map(\.name) }

  /// Programs with a session.
  static let apps = completion { client in
    var apps: [String] = []
    for session in try await client.call(GetStatus.self).sessions where !apps.contains(session.app)
    {
      apps.append(session.app)
    }
    return apps
  }

  /// Sessions by their ids.
  static let sessions = completion { try await $0.call(GetStatus.self).sessions.map(\.id) }

  /// Strips and output routes, then the nodes of their chains.
  static let inserts = completion { client in
    let status = try await client.call(GetStatus.self)
    let nodes = status.inserts.flatMap { $0.nodes.map(\.name) }
    return status.strips.map(\.id)
      + status.routes.filter { $0.direction == .output }.map(\.name)
      + nodes + ["synth", "delay", "equalizer", "gate"]
  }

  /// Clients of JACK, nodes among them.
  static let clients = completion { clients(of: try await ports($0)) }

  /// Clients and ports of JACK.
  static let places = completion { client in
    let ports = try await ports(client)
    return clients(of: ports) + ports
  }

  private static func ports(_ client: ControlClient) async throws -> [String] {
    try await client.call(ListPatch.self).ports.map(\.name)
  }

  private static func clients(of ports: [String]) -> [String] {
    var clients: [String] = []
    for port in ports {
      guard let colon = port.firstIndex(of: ":") else { continue }
      let client = String(port[..<colon])
      if !clients.contains(client) { clients.append(client) }
    }
    return clients
  }

  /// Scenes.
  static let scenes = completion { try await $0.call(ListScenes.self).scenes.map(\.name) }

  /// Paths of parameters.
  static let paths = completion { client in
    try await client.call(ListParameters.self, .init()).parameters.map(\.path)
  }

  /// The longest that a shell waits for a host.
  private static let patience = Duration.seconds(1)

  private static func completion(
    _ names: @escaping @Sendable (ControlClient) async throws -> [String]
  ) -> CompletionKind {
    .custom { (words: [String], _: Int, _: String) async -> [String] in
      let address = address(in: words)
      return await withTaskGroup(of: [String].self) { group in
        group.addTask {
          guard
            let client = try? await ControlClient.connect(to: address)
          else { return [] }
          let found = try? await names(client)
          await client.close()
          return found ?? []
        }
        group.addTask {
          try? await Task.sleep(for: patience)
          return []
        }
        let first = await group.next() ?? []
        group.cancelAll()
        return first.map(quoted)
      }
    }
  }

  /// A name as the shell expects it: in zsh a colon divides a name from its description, and ports have one.
  private static func quoted(_ name: String) -> String {
    guard CompletionShell.requesting == .zsh else { return name }
    return name.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  /// The host that the words name.
  private static func address(in words: [String]) -> HostAddress {
    guard let option = words.lastIndex(of: "--host"), words.indices.contains(option + 1),
      !words[option + 1].isEmpty
    else { return .only }
    let host = words[option + 1]
    return host.contains("/") ? .path(host) : .name(host)
  }
}
