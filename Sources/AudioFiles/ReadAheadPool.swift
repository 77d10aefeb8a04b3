// SPDX-License-Identifier: MIT

internal import Synchronization
internal import SystemSupport

/// One thread that reads ahead for any number of file players, each in turn a little.
///
/// A disk that hangs stops all players of one pool: give slow places a pool of their own.
///
/// Made by control: [control-thread].
public final class ReadAheadPool: Sendable {
  /// A player's feed, which lives as long as the player.
  private struct Entry {
    weak var feed: PlayerFeed?
  }

  /// The thread's work list; it does not keep the pool alive.
  private final class Feeds: Sendable {
    private let entries = Mutex<[Entry]>([])

    func add(_ feed: PlayerFeed) {
      entries.withLock { $0.append(Entry(feed: feed)) }
    }

    /// Serves every player once.
    ///
    /// - Returns: Milliseconds until the next round.
    func serve() -> Int {
      let feeds = entries.withLock { entries in
        entries.removeAll { $0.feed == nil }
        return entries.compactMap(\.feed)
      }
      var isHungry = false
      for feed in feeds where feed.serve() { isHungry = true }
      if isHungry { return 0 }
      // A cycle that waits for its frames takes as long as this thread pauses.
      var isAwaited = false
      for feed in feeds where feed.takeWaits() { isAwaited = true }
      if isAwaited { return 1 }
      return feeds.isEmpty ? 1000 : ReadAheadPool.pauseMilliseconds
    }
  }

  /// The pause between rounds without requests: short against the least read-ahead of 50 ms.
  private static let pauseMilliseconds = 20

  private let feeds: Feeds
  private let thread: WorkerThread?
  private let isManual: Bool

  /// Starts the thread; it ends with the pool.
  ///
  /// - Parameter name: The thread's name as tools show it, up to 15 bytes.
  public init(name: String = "read-ahead") {
    let feeds = Feeds()
    self.feeds = feeds
    isManual = false
    thread = WorkerThread(name: name) { feeds.serve() }
  }

  private init() {
    feeds = Feeds()
    isManual = true
    thread = nil
  }

  /// A pool without a thread, for rendering that is the same at every run.
  ///
  /// Its players read only when opened and in `prefetch`.
  public static func manual() -> ReadAheadPool {
    ReadAheadPool()
  }

  /// Makes the next round begin now.
  func wake() {
    thread?.wake()
  }

  /// Serves a player from now on.
  func add(_ feed: PlayerFeed, path: String) throws(AudioFileError) {
    guard isManual || thread != nil else {
      throw AudioFileError(
        code: .cannotOpen,
        path: path,
        reason: "the system gave no thread to read it ahead",
        allowed: "a limit of threads that is not reached",
      )
    }
    feeds.add(feed)
    wake()
  }
}
