// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import Glibc

/// A program that answers in this one's place.
///
/// Belongs to the control thread.
enum OtherProgram {
  /// Replaces this process by a program, under this program's name; output and exit status are the other's.
  ///
  /// - Parameters:
  ///   - path: The program's file.
  ///   - words: The arguments.
  /// - Throws: Status 69 when it cannot be run.
  static func become(_ path: String, _ words: [String]) throws -> Never {
    var arguments = unsafe ([CommandLine.arguments.first ?? "multiroute"] + words).map {
      unsafe strdup($0)
    }
    unsafe arguments.append(nil)
    _ = unsafe execv(path, arguments)
    Terminal.complain("error: \(path): \(unsafe String(cString: strerror(errno)))")
    throw ExitCode.unavailable
  }
}
