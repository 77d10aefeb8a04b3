// SPDX-License-Identifier: MIT

internal import Glibc

/// Reads the small files of /proc, which have no size in advance.
package enum TextFile {
  /// The contents, with zero bytes kept; nil when it cannot be read.
  package static func read(_ path: String) -> String? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes += chunk[..<count]
      } else if count == 0 {
        return String(decoding: bytes, as: UTF8.self)
      } else if errno != EINTR {
        return nil
      }
    }
  }

  /// Where a symbolic link points.
  static func link(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: 4096)
    let count = unsafe target.withUnsafeMutableBufferPointer { target in
      guard let start = target.baseAddress else { return 0 }
      return unsafe start.withMemoryRebound(to: CChar.self, capacity: target.count) { start in
        unsafe readlink(path, start, target.count)
      }
    }
    return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
  }

  /// The names in a directory; none when it cannot be read.
  static func names(in path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Where a program is, as the shell would find it.
  static func program(_ name: String) -> String? {
    if name.contains("/") { return unsafe access(name, X_OK) == 0 ? name : nil }
    let path = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }
      .first { unsafe access($0, X_OK) == 0 }
  }
}
