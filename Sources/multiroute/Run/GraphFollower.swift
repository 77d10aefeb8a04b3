// SPDX-License-Identifier: MIT

import CommandSupport
import Host
import Synchronization
import SystemSupport

/// Has a host take its graph again: at SIGHUP, and under `--watch` whenever one of its files changes.
///
/// Its own state is locked: [any-thread].
final class GraphFollower: Sendable {
  private let host: Host
  private let watch = Mutex<FileWatch?>(nil)

  /// Makes a follower that does nothing yet.
  init(host: Host) { self.host = host }

  /// Takes the present version of the graph's file; the host's events tell the outcome.
  func applyAgain() async {
    Terminal.complain(await host.applyAgain())
    await followFiles()
  }

  /// Begins to follow the graph's files.
  ///
  /// - Throws: `FileWatch.Fault` where the system does not watch files.
  func begin() async throws(FileWatch.Fault) {
    let started = try FileWatch.start(await host.graphFiles) { [weak self] in
      Task { await self?.applyAgain() }
    }
    watch.withLock { $0 = started }
  }

  /// Follows the files of a version that another program has applied, too.
  func followFiles() async {
    let files = await host.graphFiles
    watch.withLock(\.self)?.follow(files)
  }

  /// Ends.
  func end() {
    watch.withLock { watch in
      watch?.end()
      watch = nil
    }
  }
}
