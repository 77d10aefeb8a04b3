// SPDX-License-Identifier: MIT

internal import Dispatch

/// The thread that the host's actor runs on.
///
/// JACK's calls take milliseconds, and closing a client of a dead server can take seconds: they must
/// not hold up the thread pool that all tasks of the process share.
final class ControlThread: SerialExecutor {
  private let queue = DispatchQueue(label: "multiroute.control", qos: .userInitiated)

  func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    queue.async { unsafe unowned.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }
}
