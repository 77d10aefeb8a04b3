// SPDX-License-Identifier: MIT

internal import FoundationEssentials
internal import Glibc

/// What the examinations read: the file tree of this machine, or a made-up one.
struct Machine {
  /// The folder that stands for `/`, without a slash at its end.
  var root = ""
  /// Free and total bytes of the file system that holds a path; nil where it cannot be found out.
  var fileSystemBytes: (_ path: String) -> (free: UInt64, total: UInt64)? = Self.statistics

  /// The whole text of a file without the white space around it; nil when it cannot be read.
  func text(_ path: String) -> String? {
    guard let bytes = bytes(path) else { return nil }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let start = bytes.firstIndex { !blanks.contains($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !blanks.contains($0) } ?? start
    return String(decoding: start < bytes.endIndex ? bytes[start...end] : [], as: UTF8.self)
  }

  /// The lines of a file; none when it cannot be read.
  func lines(_ path: String) -> [Substring] {
    text(path)?.split(separator: "\n") ?? []
  }

  /// The bytes of a file; nil when it cannot be read.
  func bytes(_ path: String) -> [UInt8]? {
    // Files of /proc have no size and come piece by piece; FileManager takes the first for all.
    let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &piece, piece.count)
      guard count >= 0 else { return nil }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  /// The names in a folder, sorted; none when it cannot be read.
  func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).sorted()
  }

  /// Whether a file or folder is there.
  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: root + path) }

  /// Whether a program is installed.
  func hasProgram(_ name: String) -> Bool {
    ["/usr/local/bin/", "/usr/bin/", "/bin/"].contains { exists($0 + name) }
  }

  private static func statistics(_ path: String) -> (free: UInt64, total: UInt64)? {
    var values = statvfs()
    guard unsafe statvfs(path, &values) == 0 else { return nil }
    let block = UInt64(values.f_frsize)
    return (UInt64(values.f_bavail) * block, UInt64(values.f_blocks) * block)
  }
}
