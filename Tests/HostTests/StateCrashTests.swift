// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import Testing

@testable import Host

/// Processes that are killed while they keep their state.
@Suite(.timeLimit(.minutes(2)))
struct StateCrashTests {
  /// How old a state may be that a killed process leaves: far more than the 40 ms of the design, for
  /// this machine does much else at the time.
  private static let limitNanoseconds: UInt64 = 600_000_000

  @Test func `whenever a process is killed, the state is whole and the last but a moment`()
    async throws
  {
    // In memory: a disk that others write to takes seconds for a file, and a killed process leaves the same files on both.
    let folder = "/dev/shm/multiroute-crash-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await withTaskGroup(of: Void.self) { group in
      // Ten live at a time, the longest lives first.
      for index in (0..<100).reversed() {
        if index < 90 { await group.next() }
        let directory = "\(folder)/\(index)"
        // Some die before their first state is written, some in the middle of many.
        let lifeMilliseconds = UInt32(10 + index * 12)
        group.addTask {
          await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, lifeMilliseconds = lifeMilliseconds as UInt32] in
            Self.storm(directory: directory, lifeMilliseconds: lifeMilliseconds)
          }
        }
      }
    }
    var states = 0
    for index in 0..<100 {
      let directory = "\(folder)/\(index)"
      let changes = try Self.changes(directory)
      // Killed before it did anything.
      guard let last = changes.last else { continue }
      let due = changes.last { $0.nanoseconds + Self.limitNanoseconds < last.nanoseconds }
      let found = StateFile(directory: directory).load()
      #expect(found.faults.isEmpty)
      if let state = found.state {
        states += 1
        let kept = try #require(state.positions["change"])
        #expect(kept >= due?.number ?? 0)
        // All of it is of one moment.
        #expect(state.positions.values.allSatisfy { $0 == kept })
      } else {
        #expect(due == nil, "no state of \(changes.count) changes in \(directory)")
      }
    }
    #expect(states > 50, "only \(states) of 100 processes lived long enough to leave a state")
  }

  /// Changes all parts of a state all the time until the process is killed, and notes each change beside it.
  private static func storm(directory: String, lifeMilliseconds: UInt32) {
    _ = unsafe mkdir(directory, 0o700)
    let notes = unsafe open(directory + "/changes", O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var state = KeptState()
    let store = StateStore(file: StateFile(directory: directory), saved: nil) { _ in }
    Thread.detachNewThread {
      // The moment of the death, which the test varies.
      usleep(lifeMilliseconds * 1000)
      kill(getpid(), SIGKILL)
    }
    var number = 0.0
    var dueNanoseconds: UInt64?
    while true {
      number += 1
      for index in 0..<20 { state.positions["source \(index)"] = number }
      state.positions["change"] = number
      if let delay = store.noteChange() {
        dueNanoseconds = HostClock.nowNanoseconds() + UInt64(delay / .nanoseconds(1))
      }
      if let due = dueNanoseconds, HostClock.nowNanoseconds() >= due {
        store.write(state)
        dueNanoseconds = nil
      }
      var note = (number, HostClock.nowNanoseconds())
      _ = unsafe write(notes, &note, 16)
      // The pace of the changes.
      usleep(1000)
    }
  }

  private static func changes(
    _ directory: String
  ) throws -> [(number: Double, nanoseconds: UInt64)] {
    let data = try Data(contentsOf: URL(filePath: directory + "/changes"))
    return unsafe data.withUnsafeBytes { bytes in
      (0..<(bytes.count / 16)).map { index in
        unsafe (
          bytes.loadUnaligned(fromByteOffset: 16 * index, as: Double.self),
          bytes.loadUnaligned(fromByteOffset: 16 * index + 8, as: UInt64.self)
        )
      }
    }
  }
}
