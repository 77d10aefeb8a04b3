// SPDX-License-Identifier: MIT

import FoundationEssentials
import NIOCore

/// Cuts received bytes into lines, and holds at most one line that is too long.
///
/// Pure value: [any-thread].
struct LineBuffer {
  private var bytes = ByteBuffer()
  /// The number of readable bytes that are known to contain no newline.
  private var searched = 0
  private let limit: Int

  /// Makes an empty buffer for lines of up to `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// The next piece of the buffer.
  enum Next {
    /// A whole line, without its line end.
    case line(ByteBuffer)
    /// The line is incomplete.
    case incomplete
    /// The line is longer than the limit.
    case tooLong
  }

  /// Adds received bytes.
  mutating func append(_ more: ByteBuffer) {
    guard bytes.readableBytes > 0 else {
      bytes = more
      return
    }
    var more = more
    bytes.discardReadBytes()
    bytes.writeBuffer(&more)
  }

  /// Ends a last line without a newline.
  mutating func finish() {
    if bytes.readableBytes > 0 { bytes.writeInteger(UInt8(ascii: "\n")) }
  }

  /// Whether there is something to take: a whole line, or the beginning of one that is too long.
  mutating func hasNext() -> Bool { length() != nil || searched > limit }

  /// Takes the next line.
  mutating func next() -> Next {
    guard let length = length() else { return searched > limit ? .tooLong : .incomplete }
    searched = 0
    guard length <= limit, var line = bytes.readSlice(length: length) else { return .tooLong }
    bytes.moveReaderIndex(forwardBy: 1)
    if line.readableBytesView.last == UInt8(ascii: "\r") {
      line.moveWriterIndex(to: line.writerIndex - 1)
    }
    return .line(line)
  }

  /// The length of the next line; nil while its end has not come.
  ///
  /// Each byte is looked at once.
  private mutating func length() -> Int? {
    let view = bytes.readableBytesView
    let start = view.index(view.startIndex, offsetBy: searched)
    let newline = view[start...].firstIndex(of: UInt8(ascii: "\n"))
    searched = (newline ?? view.endIndex) - view.startIndex
    return newline == nil ? nil : searched
  }
}

extension ByteBuffer {
  /// Makes a buffer that holds one line with its newline. [any-thread]
  init(line: Data) {
    self.init()
    reserveCapacity(line.count + 1)
    writeBytes(line)
    writeInteger(UInt8(ascii: "\n"))
  }

  /// The bytes as data.
  var data: Data { Data(readableBytesView) }

  /// Whether the buffer contains only white space.
  var isBlank: Bool { readableBytesView.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
