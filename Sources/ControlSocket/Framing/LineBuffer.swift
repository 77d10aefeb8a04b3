// SPDX-License-Identifier: MIT

import NIOCore

/// Cuts what was read into lines, without ever holding more than one line that is too long.
struct LineBuffer {
  private var bytes = ByteBuffer()
  /// How many of the readable bytes are known to hold no newline.
  private var searched = 0
  private let limit: Int

  /// Makes an empty buffer for lines of up to `limit` bytes.
  init(limit: Int) { self.limit = limit }

  /// What the buffer has to give.
  enum Next {
    /// A whole line, without its line end.
    case line(ByteBuffer)
    /// The line is not whole yet.
    case incomplete
    /// The line is longer than the limit.
    case tooLong
  }

  /// Adds what was read.
  mutating func append(_ more: ByteBuffer) {
    guard bytes.readableBytes > 0 else {
      bytes = more
      return
    }
    var more = more
    bytes.discardReadBytes()
    bytes.writeBuffer(&more)
  }

  /// Ends a last line that has no newline.
  mutating func finish() {
    if bytes.readableBytes > 0 { bytes.writeInteger(UInt8(ascii: "\n")) }
  }

  /// Takes the next line.
  mutating func next() -> Next {
    let view = bytes.readableBytesView
    let start = view.index(view.startIndex, offsetBy: searched)
    guard let newline = view[start...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = view.count
      return searched > limit ? .tooLong : .incomplete
    }
    searched = 0
    let length = newline - view.startIndex
    guard length <= limit, var line = bytes.readSlice(length: length) else { return .tooLong }
    bytes.moveReaderIndex(forwardBy: 1)
    if line.readableBytesView.last == UInt8(ascii: "\r") {
      line.moveWriterIndex(to: line.writerIndex - 1)
    }
    return .line(line)
  }
}
