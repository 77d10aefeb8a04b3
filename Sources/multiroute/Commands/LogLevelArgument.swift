// SPDX-License-Identifier: MIT

import ArgumentParser
import Logging

/// Log levels on the command line.
enum LogLevelArgument {
  /// Reads a level by its name.
  ///
  /// - Throws: A usage error that lists the names.
  static func parse(_ text: String) throws -> Logger.Level {
    guard let level = Logger.Level(rawValue: text) else {
      let names = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(text)' is not a log level; allowed are \(names)")
    }
    return level
  }
}
