// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc

/// Files that reports are written to.
enum OutputFile {
  /// Replaces a file in one step, so that a killed writer leaves the old one.
  static func write(_ text: String, to path: String) throws(LabError) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw LabError(.badFile, "\(path): cannot be written")
    }
  }

  /// Adds text to the end of a file, in one write.
  static func append(_ text: String, to path: String) throws(LabError) {
    let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    defer { if file >= 0 { close(file) } }
    let bytes = Array(text.utf8)
    let written = file < 0 ? -1 : unsafe Glibc.write(file, bytes, bytes.count)
    guard written == bytes.count else {
      throw LabError(.badFile, "\(path): cannot be added to")
    }
  }

  /// Makes a directory and those above it.
  static func makeDirectory(_ path: String) throws(LabError) {
    do {
      try FileManager.default.createDirectory(
        at: URL(filePath: path),
        withIntermediateDirectories: true,
      )
    } catch {
      throw LabError(.badFile, "\(path): cannot be made")
    }
  }
}
