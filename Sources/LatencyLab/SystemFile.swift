// SPDX-License-Identifier: MIT

import FoundationEssentials

/// Files of the kernel that say how the machine is.
enum SystemFile {
  /// The lines of a file; none where it cannot be read.
  static func lines(_ path: String) -> [String] {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
