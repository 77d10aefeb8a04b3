// SPDX-License-Identifier: MIT

import FoundationEssentials

/// A directory that is gone when the test is.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path() + "latency-lab-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      at: URL(filePath: path),
      withIntermediateDirectories: true
    )
  }

  deinit { try? FileManager.default.removeItem(at: URL(filePath: path)) }

  func write(_ text: String, to name: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }
}
