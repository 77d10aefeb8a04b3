// SPDX-License-Identifier: MIT

import FoundationEssentials

/// One message that a client sent, read as far as it could be.
///
/// Pure value: [any-thread].
public struct IncomingMessage: Sendable {
  /// The id to answer with; `nil` for a notification, and where the id could not be read.
  public let id: MessageID?
  /// Whether an answer is due: not for a well-formed notification.
  public let isAnswered: Bool
  /// The request, or the fault of the message.
  public let request: Result<ControlRequest, ControlError>

  /// Makes a message that could not be read.
  init(unreadable error: ControlError) {
    id = nil
    isAnswered = true
    request = .failure(error)
  }

  init(id: MessageID?, isAnswered: Bool, request: Result<ControlRequest, ControlError>) {
    self.id = id
    self.isAnswered = isAnswered
    self.request = request
  }
}

/// One line that a client sent.
public enum IncomingLine: Sendable {
  /// A single message, answered by one object.
  case message(IncomingMessage)
  /// A batch, answered by one array, or not at all if none of its messages has an answer.
  case batch([IncomingMessage])

  /// The messages of the line.
  public var messages: [IncomingMessage] {
    switch self {
    case .message(let message): [message]
    case .batch(let messages): messages
    }
  }
}

/// Reads an ``IncomingMessage``, given the methods that there are.
///
/// Pure value: [any-thread].
struct MessageReading: DecodableWithConfiguration {
  let message: IncomingMessage

  private enum CodingKeys: String, CodingKey { case jsonrpc, id, method, params }

  /// Reads a message; every fault ends up in `request`, so that the initializer does not throw.
  init(from decoder: any Decoder, configuration registry: MethodRegistry) {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
      message = IncomingMessage(
        unreadable: .invalidRequest("message", "it is not an object", "a request object")
      )
      return
    }
    let id = try? container.decode(MessageID.self, forKey: .id)
    let isNotification = !container.contains(.id)
    do throws(ControlError) {
      try Self.checkEnvelope(container, id: id)
    } catch {
      message = IncomingMessage(id: id, isAnswered: true, request: .failure(error))
      return
    }
    do throws(ControlError) {
      let request = try Self.request(container, registry: registry)
      message = IncomingMessage(id: id, isAnswered: !isNotification, request: .success(request))
    } catch {
      message = IncomingMessage(id: id, isAnswered: !isNotification, request: .failure(error))
    }
  }

  /// Checks what makes an object a JSON-RPC 2.0 request, whatever its method.
  private static func checkEnvelope(
    _ container: KeyedDecodingContainer<CodingKeys>,
    id: MessageID?,
  ) throws(ControlError) {
    guard (try? container.decode(String.self, forKey: .jsonrpc)) == "2.0" else {
      throw .invalidRequest("jsonrpc", "it is missing or not \"2.0\"", "\"2.0\"")
    }
    guard id != nil || !container.contains(.id) else {
      let allowed = "a string or an integer; no id at all for a notification"
      throw .invalidRequest("id", "it is neither a string nor an integer", allowed)
    }
    guard (try? container.decode(String.self, forKey: .method)) != nil else {
      throw .invalidRequest("method", "it is missing or not a string", "a method's name")
    }
  }

  private static func request(
    _ container: KeyedDecodingContainer<CodingKeys>,
    registry: MethodRegistry,
  ) throws(ControlError) -> ControlRequest {
    let name = (try? container.decode(String.self, forKey: .method)) ?? ""
    guard let method = registry[name] else {
      throw ControlError(
        .methodNotFound,
        place: "method",
        fault: "there is no method '\(name.prefix(64))'",
        allowed: registry.names.joined(separator: ", "),
      )
    }
    return try ParamsReading.request(method, container, key: .params)
  }
}
