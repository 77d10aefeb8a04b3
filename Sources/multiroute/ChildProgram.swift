// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc
import UnixSignals

/// A program that this one runs and waits for.
enum ChildProgram {
  /// Runs a program to its end; SIGINT and SIGTERM are handed on to it.
  ///
  /// - Parameter words: Its name or path, and its arguments.
  /// - Returns: Its exit status, 128 and the signal's number where one ended it.
  /// - Throws: `ExitCode` where it cannot be started.
  static func run(_ words: [String]) async throws -> Int32 {
    let pid = try spawn(words)
    let signals = Task {
      for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
        kill(pid, signal.rawValue)
      }
    }
    defer { signals.cancel() }
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, WNOHANG) == 0 {
      try? await Task.sleep(for: .milliseconds(5))
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  private static func spawn(_ words: [String]) throws -> pid_t {
    var arguments = unsafe words.map { unsafe strdup($0) }
    defer { unsafe arguments.forEach { unsafe free($0) } }
    unsafe arguments.append(nil)
    var pid: pid_t = 0
    let failure = unsafe posix_spawnp(&pid, words[0], nil, nil, arguments, environ)
    guard failure == 0 else {
      Terminal.complain("error: \(words[0]): \(unsafe String(cString: strerror(failure)))")
      throw ExitCode(failure == ENOENT ? 127 : 126)
    }
    return pid
  }
}
