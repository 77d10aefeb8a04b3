// SPDX-License-Identifier: MIT

import FoundationEssentials
import NIOCore

extension ByteBuffer {
  /// Makes a buffer that holds one line with its newline.
  init(line: Data) {
    self.init()
    reserveCapacity(line.count + 1)
    writeBytes(line)
    writeInteger(UInt8(ascii: "\n"))
  }

  /// The bytes as data.
  var data: Data { Data(readableBytesView) }

  /// Whether there is nothing but white space.
  var isBlank: Bool { readableBytesView.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }
}
