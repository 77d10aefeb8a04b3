// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import NIOCore

/// The received input of a connection: cut into lines, and counted against the rate.
///
/// Pure value: [any-thread].
struct Inbox {
  private var lines: LineBuffer
  private var bucket: TokenBucket
  private let lineLimit: Int

  /// One input of a client.
  enum Input {
    /// A line, valid or invalid.
    case line(ByteBuffer)
    /// A fault that ends the connection.
    case fatal(ControlError)
  }

  /// Makes an empty inbox.
  init(
    limits: ControlServerConfiguration.Limits,
    nowNanoseconds: UInt64,
  ) {
    lineLimit = limits.lineBytes
    lines = LineBuffer(limit: limits.lineBytes)
    bucket = TokenBucket(
      perSecond: limits.messagesPerSecond,
      burst: limits.messageBurst,
      nowNanoseconds: nowNanoseconds,
    )
  }

  /// Adds received bytes.
  mutating func append(_ bytes: ByteBuffer) { lines.append(bytes) }

  /// Ends a last line without a newline.
  mutating func finish() { lines.finish() }

  /// Discards all input.
  mutating func clear() { lines = LineBuffer(limit: lineLimit) }

  /// Whether there is a line to take.
  mutating func hasInput() -> Bool { lines.hasNext() }

  /// Takes the next line.
  mutating func next() -> Input? {
    switch lines.next() {
    case .incomplete: return nil
    case .tooLong:
      clear()
      return .fatal(tooLong)
    case .line(let line): return .line(line)
    }
  }

  /// Counts messages against the rate, and returns how long to wait before the next line; 0 for no wait.
  ///
  /// A line costs a token for each message, at least one, and one for each KiB, because long lines cost time to read.
  mutating func pay(messages: Int, bytes: Int, nowNanoseconds: UInt64) -> Int64 {
    bucket.take(Double(messages + bytes / 1024), nowNanoseconds: nowNanoseconds)
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

/// A line that is being carried out, message by message.
///
/// Pure value: [any-thread].
struct LineWork {
  private let line: IncomingLine
  private var messages: ArraySlice<IncomingMessage>
  private var answers: [Data] = []

  /// Starts with a line.
  init(_ line: IncomingLine) {
    self.line = line
    messages = line.messages[...]
  }

  /// The next message to carry out.
  mutating func next() -> IncomingMessage? { messages.popFirst() }

  /// Stores a message's answer, if it has one.
  mutating func collect(_ answer: Data, for message: IncomingMessage) {
    if message.isAnswered { answers.append(answer) }
  }

  /// The line to answer with; `nil` without an answer.
  func answer(_ encoder: MessageEncoder) -> Data? {
    switch line {
    case .message: answers.first
    case .batch: answers.isEmpty ? nil : encoder.batch(answers)
    }
  }
}

extension RequestDecoder {
  /// Reads a line; nil for a blank one. [any-thread]
  func decode(buffer: ByteBuffer) -> IncomingLine? { buffer.isBlank ? nil : decode(buffer.data) }
}
