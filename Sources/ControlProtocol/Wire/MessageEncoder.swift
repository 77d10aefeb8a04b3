// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Writes messages as lines, without their newline.
public struct MessageEncoder: Sendable {
  private let encoder = JSONCoding.encoder()

  /// Makes an encoder.
  public init() {}

  /// Writes a request.
  ///
  /// - Throws: What the parameters' own encoding throws.
  public func request<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    id: RequestID,
  ) throws -> Data {
    try encoder.encode(Envelope(id: id, method: method.name, params: params))
  }

  /// Writes an answer; a result that cannot be written becomes an `internalError`.
  public func reply(_ reply: ControlReply, id: RequestID?) -> Data {
    switch reply {
    case .success(let result): success(result, id: id)
    case .failure(let error): failure(error, id: id)
    }
  }

  /// Writes the answers of a batch.
  public func batch(_ replies: [Data]) -> Data {
    var line = Data("[".utf8)
    for (index, reply) in replies.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line.append(reply)
    }
    line.append(UInt8(ascii: "]"))
    return line
  }

  /// Writes a notification.
  ///
  /// - Throws: What the parameters' own encoding throws.
  public func notification(_ notification: ControlNotification) throws -> Data {
    switch notification {
    case .meters(let meters):
      try encoder.encode(Envelope(method: notification.method, params: meters))
    case .event(let event):
      try encoder.encode(Envelope(method: notification.method, params: event))
    case .unknown(_, let params):
      try encoder.encode(Envelope(method: notification.method, params: params))
    }
  }

  private func success(_ result: some Encodable, id: RequestID?) -> Data {
    do {
      return try encoder.encode(Answer(id: id, result: result))
    } catch {
      return failure(ControlError(.internalError, message: "the result: \(error)"), id: id)
    }
  }

  private func failure(_ error: ControlError, id: RequestID?) -> Data {
    // Numbers and strings only: nothing in it that could fail to encode.
    (try? encoder.encode(Refusal(id: id, error: error))) ?? Data()
  }
}

private struct Envelope<Params: Encodable>: Encodable {
  var jsonrpc = "2.0"
  var id: RequestID?
  var method: String
  var params: Params
}

private struct Answer<Result: Encodable>: Encodable {
  var jsonrpc = "2.0"
  @OrNull var id: RequestID?
  var result: Result
}

private struct Refusal: Encodable {
  var jsonrpc = "2.0"
  @OrNull var id: RequestID?
  var error: ControlError
}
