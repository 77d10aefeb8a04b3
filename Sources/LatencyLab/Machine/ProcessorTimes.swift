// SPDX-License-Identifier: MIT

import SystemSupport

/// The load of the processors, from the kernel's counters.
///
/// A plain value, which reads /proc: [any-thread].
struct MachineLoad {
  /// A reading between two moments.
  struct Reading {
    var atNanoseconds: UInt64
    var busyShare: Double
    var stolenShare: Double
    var runnableThreads: Int
  }

  private var last: (busy: Double, stolen: Double, total: Double)?

  /// Reads the counters.
  ///
  /// - Parameter now: The moment on the monotonic clock.
  /// - Returns: The work since the last reading; nil the first time, and if the counters cannot be read.
  mutating func read(atNanoseconds now: UInt64) -> Reading? {
    let lines = Machine.this.lines("/proc/stat")
    guard let line = lines.first(where: { $0.hasPrefix("cpu ") }) else { return nil }
    // user, nice, system, idle, iowait, irq, softirq, steal
    let times = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
    guard times.count == 8 else { return nil }
    let total = times.reduce(0, +)
    let current = (busy: total - times[3] - times[4], stolen: times[7], total: total)
    defer { last = current }
    let running = lines.first { $0.hasPrefix("procs_running ") }?.split(separator: " ").last
    guard let last, total > last.total else { return nil }
    let elapsed = total - last.total
    return Reading(
      atNanoseconds: now,
      busyShare: (current.busy - last.busy) / elapsed,
      stolenShare: (current.stolen - last.stolen) / elapsed,
      runnableThreads: running.flatMap { Int($0) } ?? 0,
    )
  }
}

/// The time that the threads of a process have run, from the scheduler's own accounts.
///
/// A plain value, which reads /proc: [any-thread].
struct ThreadTimes {
  /// Nanoseconds on a processor, by thread id.
  private let nanoseconds: [Int32: UInt64]
  /// The names of the threads, by thread id.
  private let names: [Int32: String]

  /// Reads `/proc/PID/task/*/schedstat`; empty for a process that is gone.
  init(ofProcess pid: Int32) {
    let folder = "/proc/\(pid)/task"
    var nanoseconds: [Int32: UInt64] = [:]
    var names: [Int32: String] = [:]
    for thread in Machine.this.names(in: folder) {
      guard
        let id = Int32(thread),
        let word = Machine.this.lines("\(folder)/\(thread)/schedstat").first?
          .split(separator: " ").first,
        let time = UInt64(word)
      else { continue }
      nanoseconds[id] = time
      names[id] = Machine.this.text("\(folder)/\(thread)/comm")
    }
    self.nanoseconds = nanoseconds
    self.names = names
  }

  /// Processor time of the busiest threads since an earlier reading: in JACK clients under load, their
  /// audio threads.
  func busiestNanoseconds(since earlier: ThreadTimes, threads: Int = 1) -> UInt64 {
    differences(since: earlier).sorted(by: >).prefix(threads).reduce(0, +)
  }

  /// Processor time of the threads of one name since an earlier reading; nil when there is no such thread.
  func nanoseconds(ofThread name: String, since earlier: ThreadTimes) -> UInt64? {
    let threads = names.filter { $0.value == name }.keys
    guard !threads.isEmpty else { return nil }
    return threads.reduce(0) { sum, id in
      let now = nanoseconds[id] ?? 0
      return sum + now - min(now, earlier.nanoseconds[id] ?? 0)
    }
  }

  /// Processor time of all threads since an earlier reading.
  func allNanoseconds(since earlier: ThreadTimes) -> UInt64 {
    differences(since: earlier).reduce(0, +)
  }

  private func differences(since earlier: ThreadTimes) -> [UInt64] {
    nanoseconds.map { thread, time in time - min(time, earlier.nanoseconds[thread] ?? 0) }
  }
}
