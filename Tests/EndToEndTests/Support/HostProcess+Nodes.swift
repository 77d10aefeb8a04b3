// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Glibc
import TestSupport

extension HostProcess {
  /// Waits until the chains of effects are as wanted.
  func waitForInserts(
    within limit: Duration = .seconds(30),
    _ areSo: ([InsertStatus]) -> Bool,
  ) async throws {
    let client = try await control()
    let deadline = ContinuousClock.now + limit
    while true {
      let chains = try await client.call(GetStatus.self).inserts
      if areSo(chains) { break }
      guard ContinuousClock.now < deadline else {
        throw TestFailure("the effects are not so: \(chains)\n\(child.standardOutput)")
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    await client.close()
  }

  /// Waits until so much of all effects is heard, and so many run.
  func waitUntilHeard(
    _ heard: Double,
    running: Int? = nil,
    within limit: Duration = .seconds(30),
  ) async throws {
    try await waitForInserts(within: limit) { chains in
      !chains.isEmpty && chains.allSatisfy { abs($0.heard - heard) < 1e-6 }
        && (running == nil || running == chains.flatMap(\.nodes).count(where: \.running))
    }
  }
}

extension ControlEvent {
  /// The process of a node that was started, as the event tells it.
  func startedProcess() throws -> pid_t {
    guard case .integer(let pid)? = details["pid"] else {
      throw TestFailure("the event tells no process: \(self)")
    }
    return pid_t(pid)
  }
}
