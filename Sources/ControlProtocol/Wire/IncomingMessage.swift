// SPDX-License-Identifier: MIT

/// One message that a client sent, read as far as it could be.
public struct IncomingMessage: Sendable {
  /// The id to answer with; `nil` for a notification, and where the id could not be read.
  public let id: RequestID?
  /// Whether an answer is due: not for a well-formed notification.
  public let isAnswered: Bool
  /// What is asked for, or what is wrong with the message.
  public let request: Result<ControlRequest, ControlError>

  /// Makes a message that could not be read.
  init(unreadable error: ControlError) {
    id = nil
    isAnswered = true
    request = .failure(error)
  }

  init(id: RequestID?, isAnswered: Bool, request: Result<ControlRequest, ControlError>) {
    self.id = id
    self.isAnswered = isAnswered
    self.request = request
  }
}

/// One line that a client sent.
public enum IncomingLine: Sendable {
  /// A single message, answered by one object.
  case message(IncomingMessage)
  /// A batch, answered by one array, or by nothing when none of its messages is answered.
  case batch([IncomingMessage])

  /// The messages of the line.
  public var messages: [IncomingMessage] {
    switch self {
    case .message(let message): [message]
    case .batch(let messages): messages
    }
  }
}
