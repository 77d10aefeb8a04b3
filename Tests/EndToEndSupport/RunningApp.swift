// SPDX-License-Identifier: MIT

import TestSupport

/// An example app that runs.
struct RunningApp {
  let child: Child

  /// Whether the app has printed a line a number of times.
  func has(_ line: String, times: Int = 1) -> Bool {
    child.standardOutput.split(separator: "\n").count { $0 == line } >= times
  }

  /// Waits until the app has printed a line a number of times.
  func said(_ line: String, times: Int = 1) async throws {
    do {
      try await waitUntil(line, within: .seconds(15)) { has(line, times: times) }
    } catch {
      throw TestFailure(
        "'\(line)' was not said \(times) times, but:\n\(child.standardOutput)\(child.standardError)"
      )
    }
  }
}

extension SessionRig {
  /// Starts an example app that belongs to the rig's host.
  func start(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
  ) throws -> RunningApp {
    RunningApp(
      child: try Child(
        Multiroute.path(of: program),
        arguments,
        environment: [
          "XDG_RUNTIME_DIR": scratch.runtimeDirectory, "MULTIROUTE_HOST": host.name,
          "MULTIROUTE_START": "never", "MULTIROUTE_APP": program,
        ].merging(environment) { $1 },
        in: scratch,
      )
    )
  }
}
