// SPDX-License-Identifier: MIT

import ControlProtocol
import NIOCore

/// What a connection was sent and has not yet taken up: cut into lines, read, and paid for.
struct Inbox {
  private var lines: LineBuffer
  private var bucket: TokenBucket
  private let decoder: RequestDecoder
  private let lineLimit: Int

  /// What a client sent.
  enum Input {
    /// A line, good or bad.
    case line(IncomingLine)
    /// Something after which there is no sense in going on.
    case fatal(ControlError)
  }

  /// Makes an empty inbox.
  init(
    limits: ControlServerConfiguration.Limits,
    decoder: RequestDecoder,
    nowNanoseconds: UInt64,
  ) {
    lineLimit = limits.lineBytes
    lines = LineBuffer(limit: limits.lineBytes)
    bucket = TokenBucket(
      perSecond: limits.messagesPerSecond,
      burst: limits.messageBurst,
      nowNanoseconds: nowNanoseconds,
    )
    self.decoder = decoder
  }

  /// Adds what was read.
  mutating func append(_ bytes: ByteBuffer) { lines.append(bytes) }

  /// Ends a last line that has no newline.
  mutating func finish() { lines.finish() }

  /// Throws away what is there.
  mutating func clear() { lines = LineBuffer(limit: lineLimit) }

  /// Takes the next line; also tells how long to wait before the one after it, by the rate.
  mutating func next(nowNanoseconds: UInt64) -> (input: Input, waitNanoseconds: Int64)? {
    while true {
      switch lines.next() {
      case .incomplete: return nil
      case .tooLong:
        clear()
        return (.fatal(tooLong), 0)
      case .line(let line):
        if line.isBlank { continue }
        let input = decoder.decode(line.data)
        // A token for each message, and one for each KiB, which is what long lines cost to read.
        let cost = Double(input.messages.count + line.readableBytes / 1024)
        return (.line(input), bucket.take(cost, nowNanoseconds: nowNanoseconds))
      }
    }
  }

  private var tooLong: ControlError {
    ControlError(
      .tooLarge,
      place: "line",
      fault: "it is longer than \(lineLimit) bytes",
      allowed: "lines of up to \(lineLimit) bytes; the connection ends",
    )
  }
}
