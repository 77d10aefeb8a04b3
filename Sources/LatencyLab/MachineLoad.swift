// SPDX-License-Identifier: MIT

import FoundationEssentials

/// What the processors do, from the kernel's counters.
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
  /// - Returns: What was done since the reading before; nil the first time and where the counters
  ///   cannot be read.
  mutating func read(atNanoseconds now: UInt64) -> Reading? {
    let lines = SystemFile.lines("/proc/stat")
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
