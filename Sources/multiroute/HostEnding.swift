// SPDX-License-Identifier: MIT

import Host
import UnixSignals

/// What ends a host from outside: SIGINT, SIGTERM, or the time given with `--duration`.
struct HostEnding {
  let host: Host
  let durationSeconds: Double?

  /// Begins to wait; the host is stopped when the first of them comes.
  func begin() {
    let host = host
    Task {
      for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
        await host.stop()
      }
    }
    if let durationSeconds {
      Task {
        try await Task.sleep(for: .seconds(durationSeconds))
        await host.stop()
      }
    }
  }
}
