// SPDX-License-Identifier: MIT

import CommandSupport
import Glibc
import Synchronization
import UnixSignals

/// The end of a program by SIGINT, by SIGTERM, or by SIGHUP where its terminal was closed. [any-thread]
///
/// SIGHUP from anybody else asks a program that reads its files again to do so (``whenAskedToReload(_:)``). A program that has nothing to close yet ends at once, with status 0. ``whenStopped(_:)`` says how it ends from then on.
final class StopSignals: Sendable {
  private let action = Mutex<@Sendable () async -> Void>({
    Terminal.finish()
    exit(0)
  })

  private let reload = Mutex<(@Sendable () async -> Void)?>(nil)
  private let terminal = ControllingTerminal()
  private let isSignalled = Atomic(false)

  private init() {}

  /// Whether a signal has come.
  var isStopped: Bool { isSignalled.load(ordering: .acquiring) }

  /// Begins to wait for the signals.
  ///
  /// - Parameter readsAgain: Whether SIGHUP with a terminal that is still there, or without any, asks for the files again.
  /// - Returns: The signals.
  static func trapped(readsAgain: Bool = false) async -> StopSignals {
    let stops = StopSignals()
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    Task {
      for await signal in signals {
        if readsAgain, signal == .sighup, await !stops.terminal.isLost() {
          // A program that is still starting has just read its files.
          if let reload = stops.reload.withLock(\.self) { Task { await reload() } }
          continue
        }
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

  /// Sets how the program reads its files again.
  func whenAskedToReload(_ action: @escaping @Sendable () async -> Void) {
    reload.withLock { $0 = action }
  }
}
