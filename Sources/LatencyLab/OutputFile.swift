// SPDX-License-Identifier: MIT

import FoundationEssentials

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
