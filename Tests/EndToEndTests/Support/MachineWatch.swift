// SPDX-License-Identifier: MIT

import CRealtime
import Foundation
import Synchronization

/// Tells how late this machine wakes a thread up, whatever it is that is tested meanwhile.
///
/// What is measured while it was late by milliseconds says nothing about us, and is measured again.
final class MachineWatch: Sendable {
  /// A millisecond's sleep that takes so long puts a period of 256 frames at risk.
  private static let lateNanoseconds: UInt64 = 4_000_000

  private let longestNanoseconds = Atomic<UInt64>(0)

  /// Starts to watch.
  ///
  /// - Returns: The watch; it ends with the last reference to it.
  static func start() -> MachineWatch {
    let watch = MachineWatch()
    let thread = Thread { [weak watch] in
      while let watch { watch.sleepOnce() }
    }
    thread.start()
    return watch
  }

  private init() {}

  private func sleepOnce() {
    let start = realtime_now_nanoseconds()
    usleep(1000)
    let passed = realtime_now_nanoseconds() - start
    longestNanoseconds.max(passed, ordering: .relaxed)
  }

  /// Whether the machine was late since the last question.
  func wasLate() -> Bool {
    longestNanoseconds.exchange(0, ordering: .relaxed) > Self.lateNanoseconds
  }
}
