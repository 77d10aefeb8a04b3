// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials
import NIOCore

/// The received input of a connection: cut into lines, parsed, and counted against the rate.
///
/// Pure value: [any-thread].
struct Inbox {
  private var lines: LineBuffer
  private var bucket: TokenBucket
  private let decoder: RequestDecoder
  private let lineLimit: Int

  /// One input of a client.
  enum Input {
    /// A line, valid or invalid.
    case line(IncomingLine)
    /// A fault that ends the connection.
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

  /// Adds received bytes.
  mutating func append(_ bytes: ByteBuffer) { lines.append(bytes) }

  /// Ends a last line without a newline.
  mutating func finish() { lines.finish() }

  /// Discards all input.
  mutating func clear() { lines = LineBuffer(limit: lineLimit) }

  /// Takes the next line; also returns how long to wait before the one after it, by the rate.
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
        // The cost is a token for each message, and one for each KiB, because long lines cost time to read.
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

/// Counts a connection's use against a rate with a burst.
///
/// The caller passes the time, in nanoseconds of any steady clock. The bucket may run into debt: an input that
/// costs more than the burst is allowed, and a wait pays for it afterwards.
///
/// Pure value: [any-thread].
struct TokenBucket {
  private let perSecond: Double
  private let burst: Double
  private var tokens: Double
  private var updatedNanoseconds: UInt64

  /// Makes a full bucket.
  init(perSecond: Double, burst: Double, nowNanoseconds: UInt64) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
    updatedNanoseconds = nowNanoseconds
  }

  /// Takes tokens, and returns how long to wait before the next call; 0 for no wait.
  mutating func take(_ cost: Double, nowNanoseconds: UInt64) -> Int64 {
    let elapsed = nowNanoseconds > updatedNanoseconds ? nowNanoseconds - updatedNanoseconds : 0
    updatedNanoseconds = max(nowNanoseconds, updatedNanoseconds)
    tokens = min(burst, tokens + Double(elapsed) * 1e-9 * perSecond) - cost
    guard tokens < 0 else { return 0 }
    return Int64((-tokens / perSecond * 1e9).rounded(.up))
  }
}
