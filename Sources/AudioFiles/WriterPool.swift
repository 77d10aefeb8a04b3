// SPDX-License-Identifier: MIT

internal import Synchronization
internal import SystemSupport

/// The few threads that write for all recorders, each for some of them in turn.
///
/// A disk that hangs stops the recorders of one thread; their rings hold their audio for the length of their buffers.
///
/// Safe from any thread except the audio thread: [any-thread].
final class WriterPool: Sendable {
  /// The pool of all recorders of the process; its threads start with the first recorders.
  static let shared = WriterPool(threadCount: 4)

  /// A recorder's drain, which lives as long as the recorder.
  private struct Entry {
    weak var drain: RecorderDrain?
  }

  /// The work list of one thread.
  private final class Drains: Sendable {
    private let entries = Mutex<[Entry]>([])

    func add(_ drain: RecorderDrain) { entries.withLock { $0.append(Entry(drain: drain)) } }

    var count: Int { entries.withLock { $0.count { $0.drain != nil } } }

    /// Serves every recorder once.
    ///
    /// - Returns: Milliseconds until the next round.
    func serve() -> Int {
      let drains = entries.withLock { entries in
        entries.removeAll { $0.drain == nil }
        return entries.compactMap(\.drain)
      }
      return drains.map { $0.drain() }.min() ?? 1000
    }
  }

  private struct Writer {
    let drains: Drains
    let thread: WorkerThread
  }

  private let threadCount: Int
  private let writers = Mutex<[Writer]>([])

  /// Makes a pool without threads.
  init(threadCount: Int) { self.threadCount = threadCount }

  /// The number of its threads now.
  var runningThreadCount: Int { writers.withLock(\.count) }

  /// Writes for a recorder from now on, until it ends.
  ///
  /// - Returns: False if the system gave no thread for it.
  func add(_ drain: RecorderDrain) -> Bool {
    writers.withLock { writers in
      var chosen = writers.min { $0.drains.count < $1.drains.count }
      if writers.count < threadCount, chosen.map({ $0.drains.count > 0 }) ?? true {
        let drains = Drains()
        if let thread = WorkerThread(name: "recorder", round: { drains.serve() }) {
          let writer = Writer(drains: drains, thread: thread)
          writers.append(writer)
          chosen = writer
        }
      }
      guard let chosen else { return false }
      chosen.drains.add(drain)
      chosen.thread.wake()
      return true
    }
  }
}
