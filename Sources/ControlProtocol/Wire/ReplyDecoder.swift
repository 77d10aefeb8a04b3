// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// What a host sent, read as far as it can be without knowing what was asked.
public enum HostMessage: Sendable, Hashable {
  /// The answer to the call with this id: the error, or `nil` for a result that
  /// ``ReplyDecoder/result(of:in:)`` reads.
  case reply(id: RequestID, error: ControlError?)
  /// An error that belongs to no call, mostly the last words before the host hangs up.
  case failure(ControlError)
  /// A notification.
  case notification(ControlNotification)
}

/// Reads what a host sends, line by line.
public struct ReplyDecoder: Sendable {
  private let decoder = JSONCoding.decoder()

  /// Makes a decoder.
  public init() {}

  /// Reads a line, without its newline; `nil` when it is nothing that a host may send.
  /// [any-thread]
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
      (try? params(ControlEvent.self, line)).map(ControlNotification.event)
    default:
      .unknown(method: method, params: (try? params(JSONValue.self, line)) ?? .null)
    }
  }

  private func params<Params: Decodable>(_ type: Params.Type, _ line: Data) throws -> Params {
    try decoder.decode(ParamsHolder<Params>.self, from: line).params
  }
}

private struct Head: Decodable {
  var id: RequestID?
  var method: String?
  var error: ControlError?
}

private struct ResultHolder<Result: Decodable>: Decodable { var result: Result }

private struct ParamsHolder<Params: Decodable>: Decodable { var params: Params }
