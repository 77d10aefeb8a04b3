// SPDX-License-Identifier: MIT

import ArgumentParser
import Glibc

/// This program as a file.
enum Program {
  /// Its path.
  ///
  /// - Throws: Status 70 where the kernel does not tell.
  static func path() throws -> String {
    guard let path = unsafe realpath("/proc/self/exe", nil) else { throw ExitCode.software }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }
}
