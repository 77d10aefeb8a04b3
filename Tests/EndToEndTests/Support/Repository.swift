// SPDX-License-Identifier: MIT

import Foundation

/// The repository that the tests were built from.
enum Repository {
  /// The absolute path of a file in it.
  static func path(_ relative: String) -> String {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder.appending(path: relative).path(percentEncoded: false)
  }

  /// The text of a file in it.
  static func text(_ relative: String) throws -> String {
    try String(contentsOfFile: path(relative), encoding: .utf8)
  }
}
