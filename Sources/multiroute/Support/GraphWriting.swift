// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import FoundationEssentials
import SystemSupport

/// Writes graph files for a user.
///
/// Belongs to the control thread.
enum GraphWriting {
  /// Replaces or makes a file, and makes its folder.
  ///
  /// - Parameters:
  ///   - text: The new text.
  ///   - path: The file; a symbolic link is followed.
  /// - Throws: Status 73; the file is as it was then.
  static func write(_ text: String, to path: String) throws {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    do {
      if !folder.isEmpty {
        try FileManager.default.createDirectory(
          atPath: folder.joined(separator: "/") + "/",
          withIntermediateDirectories: true,
        )
      }
      try FileReplacement.replace(path, with: Array(text.utf8))
    } catch {
      Terminal.complain("error: \(path): nothing is written: \(error)")
      throw ExitCode.cannotCreate
    }
  }
}
