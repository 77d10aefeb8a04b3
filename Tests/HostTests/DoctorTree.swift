// SPDX-License-Identifier: MIT

internal import Foundation

@testable import Host

/// A made-up file tree that stands for a machine.
final class DoctorTree {
  private let root = FileManager.default.temporaryDirectory
    .appending(path: "multiroute-doctor-\(UUID().uuidString)")

  /// Makes a tree of files; their folders are made, too.
  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for (path, text) in files { try write(Data(text.utf8), to: path) }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func write(_ data: Data, to path: String) throws {
    let file = root.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true,
    )
    try data.write(to: file)
  }

  /// The machine, with this much memory to share; it keeps the tree alive.
  func machine(freeMiB: UInt64 = 1000, totalMiB: UInt64 = 2000) -> Machine {
    Machine(root: root.path) { [self] _ in
      withExtendedLifetime(self) { (freeMiB << 20, totalMiB << 20) }
    }
  }
}

extension [Finding] {
  /// The only finding about a subject.
  func about(_ subject: String) -> Finding? {
    let fitting = filter { $0.subject == subject }
    return fitting.count == 1 ? fitting[0] : nil
  }
}
