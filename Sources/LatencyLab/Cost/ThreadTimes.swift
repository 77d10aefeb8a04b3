// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The time that the threads of a process have run, from the scheduler's own accounts.
struct ThreadTimes {
  /// Nanoseconds on a processor, by thread id.
  private let nanoseconds: [Int32: UInt64]

  /// Reads `/proc/PID/task/*/schedstat`; empty for a process that is gone.
  init(ofProcess pid: Int32) {
    let folder = "/proc/\(pid)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var nanoseconds: [Int32: UInt64] = [:]
    for thread in threads {
      guard
        let id = Int32(thread),
        let word = SystemFile.lines("\(folder)/\(thread)/schedstat").first?
          .split(separator: " ").first,
        let time = UInt64(word)
      else { continue }
      nanoseconds[id] = time
    }
    self.nanoseconds = nanoseconds
  }

  /// What the busiest threads have run since an earlier reading: of JACK clients under load, their
  /// audio threads.
  func busiestNanoseconds(since earlier: ThreadTimes, threads: Int = 1) -> UInt64 {
    differences(since: earlier).sorted(by: >).prefix(threads).reduce(0, +)
  }

  /// What all threads together have run since an earlier reading.
  func allNanoseconds(since earlier: ThreadTimes) -> UInt64 {
    differences(since: earlier).reduce(0, +)
  }

  private func differences(since earlier: ThreadTimes) -> [UInt64] {
    nanoseconds.map { thread, time in time - min(time, earlier.nanoseconds[thread] ?? 0) }
  }
}
