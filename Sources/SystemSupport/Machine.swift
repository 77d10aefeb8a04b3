// SPDX-License-Identifier: MIT

internal import Glibc

/// Reader of a machine's small files, above all those of /proc and /sys: this machine's, or those of a made-up tree
/// of files.
///
/// Pure value: [any-thread]. Each call reads anew.
package struct Machine: Sendable {
  /// The machine that this process runs on.
  package static let this = Machine()

  /// The folder that stands for `/`, without a slash at its end.
  package var root: String
  /// Free and total bytes of the file system that holds a path; nil where it cannot be found out.
  package var fileSystemBytes: @Sendable (_ path: String) -> (free: UInt64, total: UInt64)?

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - root: The folder that stands for `/`; empty for this machine.
  ///   - fileSystemBytes: Free and total bytes of the file system that holds a path.
  package init(
    root: String = "",
    fileSystemBytes: @escaping @Sendable (_ path: String) -> (free: UInt64, total: UInt64)? =
      Self.statistics,
  ) {
    self.root = root
    self.fileSystemBytes = fileSystemBytes
  }

  // MARK: - Files

  /// The text of a file without white space at either end; nil when it cannot be read.
  package func text(_ path: String) -> String? {
    guard let bytes = bytes(path) else { return nil }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let start = bytes.firstIndex { !blanks.contains($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !blanks.contains($0) } ?? start
    return String(decoding: start < bytes.endIndex ? bytes[start...end] : [], as: UTF8.self)
  }

  /// The lines of a file; empty if it cannot be read.
  package func lines(_ path: String) -> [Substring] {
    text(path)?.split(separator: "\n") ?? []
  }

  /// The bytes of a file, read to its end because files of /proc have no size; nil when it cannot be read.
  package func bytes(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &piece, piece.count)
      if count > 0 {
        bytes += piece[..<count]
      } else if count == 0 {
        return bytes
      } else if errno != EINTR {
        return nil
      }
    }
  }

  /// Target of a symbolic link; nil when it cannot be read.
  package func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe target.withUnsafeMutableBytes { target in
      guard let start = unsafe target.bindMemory(to: CChar.self).baseAddress else { return 0 }
      return unsafe readlink(root + path, start, target.count)
    }
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
  }

  // MARK: - Folders and programs

  /// The names in a folder, sorted; empty if it cannot be read.
  package func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(root + folder) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Whether a file or folder exists.
  package func exists(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }

  /// Whether a program is installed in one of the system's folders.
  package func hasProgram(_ name: String) -> Bool {
    ["/usr/local/bin/", "/usr/bin/", "/bin/"].contains { exists($0 + name) }
  }

  /// Free and total bytes of the file system that holds a path of this machine.
  package static func statistics(_ path: String) -> (free: UInt64, total: UInt64)? {
    var values = statvfs()
    guard unsafe statvfs(path, &values) == 0 else { return nil }
    let block = UInt64(values.f_frsize)
    return (UInt64(values.f_bavail) * block, UInt64(values.f_blocks) * block)
  }
}
