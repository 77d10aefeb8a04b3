// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Synchronization

/// A connection to the only host that is made while the words of a command are parsed, on another processor.
///
/// It is for commands whose user waits for a sound or a value.
enum EarlyConnection {
  private static let commands: [[String]] = [["session", "play"], ["status"], ["set"], ["get"]]
  private static let attempt = Mutex<Task<ControlClient, any Error>?>(nil)

  /// Begins to connect for one of these commands, unless the words name a host.
  ///
  /// [any-thread]
  static func begin(for words: [String]) {
    guard commands.contains(where: words.starts(with:)),
      !words.contains(where: { $0.hasPrefix("--host") })
    else { return }
    let task = Task.detached { try await ControlClient.connect(to: .only) }
    attempt.withLock { $0 = task }
  }

  /// Connects to a host, or returns the connection that was begun.
  ///
  /// - Throws: ``ControlClientError``.
  /// [any-thread]
  static func client(of address: HostAddress) async throws -> ControlClient {
    let begun = address == .only ? attempt.withLock { $0.take() } : nil
    return if let begun { try await begun.value } else {
      try await ControlClient.connect(to: address)
    }
  }
}

extension ControlClient {
  /// Connects as the user's own tool.
  ///
  /// - Throws: ``ControlClientError``.
  /// [any-thread]
  static func connect(to address: HostAddress) async throws -> ControlClient {
    try await connect(to: address, clientName: "multiroute", role: .user)
  }
}
