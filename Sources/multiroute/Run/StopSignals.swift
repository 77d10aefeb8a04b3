// SPDX-License-Identifier: MIT

import CommandSupport
import Glibc
import Synchronization
import UnixSignals

/// The end of a program by SIGINT, by SIGTERM, or by SIGHUP (its terminal was closed). [any-thread]
///
/// A program that has nothing to close yet ends at once, with status 0. ``whenStopped(_:)`` says how it ends from then on.
final class StopSignals: Sendable {
  private let action = Mutex<@Sendable () async -> Void>({
    Terminal.finish()
    exit(0)
  })

  private let isSignalled = Atomic(false)

  private init() {}

  /// Whether a signal has come.
  var isStopped: Bool { isSignalled.load(ordering: .acquiring) }

  /// Begins to wait for the signals.
  static func trapped() async -> StopSignals {
    let stops = StopSignals()
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    Task {
      for await _ in signals {
        stops.isSignalled.store(true, ordering: .releasing)
        let action = stops.action.withLock { $0 }
        await action()
      }
    }
    return stops
  }

  /// Sets how the program ends at the next signal.
  func whenStopped(_ action: @escaping @Sendable () async -> Void) {
    self.action.withLock { $0 = action }
  }
}
