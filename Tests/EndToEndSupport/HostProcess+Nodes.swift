// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport

extension HostProcess {
  /// Waits until the chains of effects fulfil a condition.
  func waitForInserts(
    within limit: Duration = .seconds(60),
    _ areSo: ([InsertStatus]) -> Bool,
  ) async throws {
    let client = try await control()
    var chains: [InsertStatus] = []
    do {
      try await waitUntil("the effects are so", within: limit, every: .milliseconds(10)) {
        chains = try await client.call(GetStatus.self).inserts
        return areSo(chains)
      }
    } catch {
      throw TestFailure("\(error), but \(chains)\n\(child.standardOutput)")
    }
    await client.close()
  }

  /// Waits until every chain of effects has a share in the sound, and a number of nodes run.
  func waitUntilHeard(
    _ heard: Double,
    running: Int? = nil,
    within limit: Duration = .seconds(60),
  ) async throws {
    try await waitForInserts(within: limit) { chains in
      !chains.isEmpty && chains.allSatisfy { abs($0.heard - heard) < 1e-6 }
        && (running == nil || running == chains.flatMap(\.nodes).count(where: \.running))
    }
  }
}

extension ControlEvent {
  /// The process id in the event of a started node.
  func startedProcess() throws -> pid_t {
    guard let pid = nodeStarted?.pid else {
      throw TestFailure("the event tells no process: \(self)")
    }
    return pid
  }
}
