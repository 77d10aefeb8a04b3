// SPDX-License-Identifier: MIT

import Glibc

/// Runs a program of the system to its end.
enum SystemTool {
  /// Runs a program found by its name, without input.
  ///
  /// - Returns: Its exit status; nil where there is no such program.
  static func run(_ name: String, _ arguments: [String]) async -> Int32? {
    await withCheckedContinuation { continuation in
      // A thread of its own, as waiting must not hold up those of the concurrency runtime.
      DetachedThread.start { continuation.resume(returning: runAndWait(name, arguments)) }
    }
  }

  private static func runAndWait(_ name: String, _ arguments: [String]) -> Int32? {
    var words: [UnsafeMutablePointer<CChar>?] = unsafe ([name] + arguments).map {
      unsafe strdup($0)
    }
    defer { unsafe words.forEach { unsafe free($0) } }
    unsafe words.append(nil)
    var process: pid_t = 0
    guard unsafe posix_spawnp(&process, name, nil, nil, words, environ) == 0 else { return nil }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F
  }
}
