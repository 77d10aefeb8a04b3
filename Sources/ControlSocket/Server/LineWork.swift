// SPDX-License-Identifier: MIT

import ControlProtocol
import FoundationEssentials

/// A line that is being carried out, message by message.
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

  /// Keeps a message's answer, if it is to have one.
  mutating func collect(_ answer: Data, for message: IncomingMessage) {
    if message.isAnswered { answers.append(answer) }
  }

  /// The line to answer with; `nil` when there is nothing to say.
  func answer(_ encoder: MessageEncoder) -> Data? {
    switch line {
    case .message: answers.first
    case .batch: answers.isEmpty ? nil : encoder.batch(answers)
    }
  }
}
