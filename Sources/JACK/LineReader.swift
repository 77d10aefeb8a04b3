// SPDX-License-Identifier: MIT

internal import Glibc

/// Cuts what comes through a pipe into lines.
struct LineReader {
  let descriptor: Int32
  private let onLine: (String) -> Void
  private var partial: [UInt8] = []

  /// A line without end must not take all memory.
  private static let longestLine = 4096

  init(descriptor: Int32, onLine: @escaping (String) -> Void) {
    self.descriptor = descriptor
    self.onLine = onLine
  }

  /// Reads what is there; false at the end.
  mutating func read() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
    if count < 0, errno == EINTR { return true }
    guard count > 0 else {
      flush()
      return false
    }
    for byte in chunk[..<count] {
      if byte == UInt8(ascii: "\n") || partial.count == Self.longestLine {
        flush()
      } else {
        partial.append(byte)
      }
    }
    return true
  }

  private mutating func flush() {
    let line = String(decoding: partial, as: UTF8.self)
    partial.removeAll(keepingCapacity: true)
    if !line.isEmpty { onLine(line) }
  }
}
