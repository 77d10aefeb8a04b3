// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import UnixSignals

/// Programs that run until they are told to end.
enum UntilSignalled {
  /// Runs a body until it ends by itself, or SIGINT or SIGTERM cancels it.
  ///
  /// - Parameter body: The work; throws `cancelled` when it is cancelled.
  /// - Throws: Status 69 with the fault on standard error.
  static func run(_ body: @escaping @Sendable () async throws(LabError) -> Void) async throws {
    let work = Task { () -> LabError? in
      do throws(LabError) {
        try await body()
        return nil
      } catch {
        return error.code == .cancelled ? nil : error
      }
    }
    let signals = Task {
      for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { work.cancel() }
    }
    defer { signals.cancel() }
    if let error = await work.value {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }
}
