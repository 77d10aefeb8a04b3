// SPDX-License-Identifier: MIT

internal import Glibc
internal import YAML

/// Reads a whole graph file up to a limit: the path may name anything, even an endless device.
///
/// [any-thread]
enum GraphFileText {
  struct Fault: Error {
    var position: SourcePosition
    var message: String
  }

  static func tooLarge(_ limit: Int) -> String {
    "the file is too large; a graph file has at most \(limit) bytes"
  }

  static func read(_ path: String, sizeLimit: Int) throws(Fault) -> String {
    let bytes = try readBytes(path, sizeLimit: sizeLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Fault(
        position: SourcePosition(after: validPrefix(of: bytes)),
        message: "not UTF-8; save the file as UTF-8 text",
      )
    }
    return text
  }

  private static func readBytes(_ path: String, sizeLimit: Int) throws(Fault) -> [UInt8] {
    // Opening or reading a pipe would wait for its other end.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw systemFault() }
    defer { close(descriptor) }
    var facts = stat()
    guard unsafe fstat(descriptor, &facts) == 0 else { throw systemFault() }
    guard facts.st_mode & S_IFMT != S_IFDIR else {
      errno = EISDIR
      throw systemFault()
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw Fault(
        position: .start,
        message: "it is a pipe or a device; a graph file is a regular file",
      )
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1_024)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw systemFault() }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= sizeLimit else {
        throw Fault(position: .start, message: tooLarge(sizeLimit))
      }
    }
  }

  private static func systemFault() -> Fault {
    Fault(position: .start, message: "the file cannot be read: \(MessageText.systemError(errno))")
  }

  /// The characters before the first byte that is not UTF-8.
  private static func validPrefix(of bytes: [UInt8]) -> [Unicode.Scalar] {
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var scalars: [Unicode.Scalar] = []
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      scalars.append(scalar)
    }
    return scalars
  }
}
