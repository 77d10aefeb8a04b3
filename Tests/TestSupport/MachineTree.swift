// SPDX-License-Identifier: MIT

package import Foundation
package import SystemSupport

/// A made-up tree of files that stands for a machine; deleted with the value.
package final class MachineTree: Sendable {
  private let root = FileManager.default.temporaryDirectory
    .appending(path: "multiroute-doctor-\(UUID().uuidString)")

  /// Makes a tree of files; their folders are made, too.
  package init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files { try write(Data(text.utf8), to: path) }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// Writes a file, and makes its folders.
  package func write(_ data: Data, to path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true,
    )
    try data.write(to: file)
  }

  /// The machine, with this much shared memory; it keeps the tree alive.
  package func machine(freeMiB: UInt64 = 1000, totalMiB: UInt64 = 2000) -> Machine {
    Machine(root: root.path) { [self] _ in
      withExtendedLifetime(self) { (freeMiB << 20, totalMiB << 20) }
    }
  }
}
