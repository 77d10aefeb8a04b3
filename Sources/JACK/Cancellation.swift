// SPDX-License-Identifier: MIT

internal import CRealtime

/// What every callback on one of libjack's own threads needs.
enum Cancellation {
  /// Runs `body` on a thread that cannot be cancelled meanwhile.
  ///
  /// libjack ends its threads with pthread_cancel, asynchronously, whenever a client is closed or a
  /// server dies. A thread that is ended so inside of a callback keeps for ever whatever lock it
  /// holds: that of standard error while it logs, that of the allocator, that of a stream.
  static func disabled(_ body: () -> Void) {
    let state = realtime_cancellation_disable()
    defer { realtime_cancellation_restore(state) }
    body()
  }
}
