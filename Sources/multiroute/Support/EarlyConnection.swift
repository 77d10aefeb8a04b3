// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Synchronization

/// A connection to the only host that is made while the words of a command are parsed, on another processor.
///
/// It is for commands whose user waits for a sound or a value.
enum EarlyConnection {
  /// The commands, and the topics to which each subscribes.
  private static let commands: [(words: [String], topics: [Topic])] = [
    (["session", "play"], FilePlayback.topics), (["status"], []), (["set"], []), (["get"], []),
  ]

  /// A connection that was begun.
  private struct Attempt {
    let topics: [Topic]
    let task: Task<ControlClient, any Error>
  }

  private static let attempt = Mutex<Attempt?>(nil)

  /// Begins to connect for one of these commands, unless the words name a host, or one that is still to come is waited for.
  ///
  /// [any-thread]
  static func begin(for words: [String]) {
    guard let topics = commands.first(where: { words.starts(with: $0.words) })?.topics,
      !words.contains(where: { $0.hasPrefix("--host") || $0 == "--wait" })
    else { return }
    let task = Task.detached {
      try await ControlClient.connect(to: .only, subscribingTo: topics)
    }
    attempt.withLock { $0 = Attempt(topics: topics, task: task) }
  }

  /// Connects to a host and subscribes, on the connection that was begun where there is one.
  ///
  /// - Throws: ``ControlClientError``.
  /// [any-thread]
  static func client(
    of address: HostAddress,
    subscribingTo topics: [Topic],
  ) async throws -> ControlClient {
    let begun = address == .only ? attempt.withLock { $0.take() } : nil
    guard let begun else {
      return try await ControlClient.connect(to: address, subscribingTo: topics)
    }
    let client = try await begun.task.value
    // 'status --watch' hears events, 'status' does not.
    let missing = topics.filter { !begun.topics.contains($0) }
    if !missing.isEmpty {
      _ = try await client.call(Subscribe.self, Subscribe.Params(topics: missing))
    }
    return client
  }
}

extension ControlClient {
  /// Connects as the user's own tool, and subscribes.
  ///
  /// - Throws: ``ControlClientError``.
  /// [any-thread]
  static func connect(
    to address: HostAddress,
    subscribingTo topics: [Topic] = [],
  ) async throws(ControlClientError) -> ControlClient {
    try await connect(
      to: address,
      clientName: "multiroute",
      role: .user,
      subscribingTo: topics,
    )
  }
}
