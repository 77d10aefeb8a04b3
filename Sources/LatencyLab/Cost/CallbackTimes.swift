// SPDX-License-Identifier: MIT

import CCallbackTimes
import Glibc

/// How long the process callbacks of other programs take, cycle by cycle.
///
/// The programs load a library that times their callbacks from the call to the return and writes the times into one file
/// in memory. Waking up is not in them. Belongs to the control thread.
@safe
final class CallbackTimes {
  /// The variables of the environment of a program that is timed.
  let environment: [String: String]
  private let times: OpaquePointer
  private let path: String
  private var room: [CallbackTime]

  /// Makes the file.
  ///
  /// - Parameters:
  ///   - path: Its path, where nothing is yet.
  ///   - library: The path of the library.
  /// - Throws: ``LabError`` `tool` when there is no library, and `badFile` when the file cannot be made.
  init(path: String, library: String) throws(LabError) {
    guard unsafe access(library, R_OK) == 0 else {
      throw LabError(
        .tool,
        "\(library): is missing; build it with 'swift build --product callback-timer'",
      )
    }
    guard let times = unsafe callback_times_open(path, true) else {
      throw LabError(
        .badFile,
        "\(path): cannot be made (\(unsafe String(cString: strerror(errno))))"
      )
    }
    unsafe self.times = times
    self.path = path
    environment = ["LD_PRELOAD": library, CALLBACK_TIMES_VARIABLE: path]
    room = Array(repeating: CallbackTime(), count: callback_times_capacity())
  }

  deinit {
    unsafe callback_times_close(times)
    unsafe unlink(path)
  }

  /// The time of all callbacks of a process in each of the latest cycles.
  ///
  /// - Parameter pid: The process.
  /// - Returns: Nanoseconds by the number of the cycle's first frame; nothing for a process that is not timed.
  func cycles(of pid: Int32) -> [UInt32: Double] {
    let capacity = room.count
    let count = unsafe callback_times_read(times, pid, &room, capacity)
    return room.prefix(count).reduce(into: [:]) { cycles, time in
      cycles[time.frame, default: 0] += Double(time.nanoseconds)
    }
  }
}
