// SPDX-License-Identifier: MIT

import Foundation
import InterAppAudio

/// A folder of node files of a test's own.
final class NodeFolder {
  let folders: NodeFolders
  private let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "nodes-\(UUID())").path()
    try FileManager.default.createDirectory(
      atPath: path + "/multiroute/nodes",
      withIntermediateDirectories: true,
    )
    folders = NodeFolders(environment: [
      "XDG_DATA_HOME": path, "XDG_DATA_DIRS": path + "/none", "XDG_STATE_HOME": path,
    ])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ text: String, to file: String) throws {
    let url = URL(filePath: "\(path)/multiroute/nodes/\(file)")
    try Data(text.utf8).write(to: url)
  }
}
