// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// A message of a host, read as far as possible without knowledge of the request.
public enum HostMessage: Sendable, Hashable {
  /// The answer to the call with this id: the error, or `nil` for a result that
  /// ``ReplyDecoder/result(of:in:)`` reads.
  case reply(id: MessageID, error: ControlError?)
  /// An error without a call, mostly the last message before the host ends the connection.
  case failure(ControlError)
  /// A notification.
  case notification(ControlNotification)
}

/// Reads a host's messages, line by line.
///
/// Pure value: [any-thread].
public struct ReplyDecoder: Sendable {
  private let decoder = JSONCoding.decoder()

  /// Makes a decoder.
  public init() {}

  /// Reads a line, without its newline; `nil` for a line that a host may not send. [any-thread]
  public func decode(_ line: Data) -> HostMessage? {
    guard let head = try? decoder.decode(Head.self, from: line) else { return nil }
    switch (head.method, head.id, head.error) {
    case (let method?, _, _):
      return notification(method, line).map(HostMessage.notification)
    case (nil, let id?, let error):
      return .reply(id: id, error: error)
    case (nil, nil, let error?):
      return .failure(error)
    case (nil, nil, nil):
      return nil
    }
  }

  /// Reads the result in an answer.
  ///
  /// - Throws: A `DecodingError` when the line holds no result of the method's type.
  /// [any-thread]
  public func result<Method: ControlMethod>(
    of method: Method.Type,
    in line: Data,
  ) throws -> Method.Result {
    try decoder.decode(ResultHolder<Method.Result>.self, from: line).result
  }

  private func notification(_ method: String, _ line: Data) -> ControlNotification? {
    switch method {
    case ControlNotification.metersMethod:
      (try? params(Meters.self, line)).map(ControlNotification.meters)
    case ControlNotification.eventMethod:
      // Details of a newer version that this one cannot read end no connection.
      (try? params(ControlEvent.self, line)).map(ControlNotification.event)
        ?? (try? params(JSONValue.self, line)).map { .unknown(method: method, params: $0) }
    case ControlNotification.parametersMethod:
      (try? params(ParameterChanges.self, line)).map(ControlNotification.parameters)
        ?? (try? params(JSONValue.self, line)).map { .unknown(method: method, params: $0) }
    default:
      .unknown(method: method, params: (try? params(JSONValue.self, line)) ?? .null)
    }
  }

  private func params<Params: Decodable>(_ type: Params.Type, _ line: Data) throws -> Params {
    try decoder.decode(ParamsHolder<Params>.self, from: line).params
  }
}

private struct Head: Decodable {
  var id: MessageID?
  var method: String?
  var error: ControlError?
}

private struct ResultHolder<Result: Decodable>: Decodable { var result: Result }

private struct ParamsHolder<Params: Decodable>: Decodable { var params: Params }
