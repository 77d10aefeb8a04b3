// SPDX-License-Identifier: MIT

public import FoundationEssentials

/// Writes messages as lines, without their newline.
///
/// Pure value: [any-thread].
public struct MessageEncoder: Sendable {
  private let encoder = JSONCoding.encoder()

  /// Makes an encoder.
  public init() {}

  /// Writes a request.
  ///
  /// - Throws: The error of the parameters' own encoding.
  public func request<Method: ControlMethod>(
    _ method: Method.Type,
    _ params: Method.Params,
    id: MessageID,
  ) throws -> Data {
    try encoder.encode(Envelope(id: id, method: method.name, params: params))
  }

  /// Refuses a line that is longer than a host reads: it would end the connection, and the sessions of it.
  ///
  /// - Throws: ``ControlError`` with `tooLarge`.
  public static func checkLength(ofRequest line: Data) throws(ControlError) {
    guard line.count >= largestLineBytes else { return }
    throw ControlError(
      .tooLarge,
      place: "request",
      fault: "it has \(line.count) bytes",
      allowed: "less than \(largestLineBytes) bytes; the connection goes on",
    )
  }

  /// The length of the longest line that a host reads, in bytes.
  public static let largestLineBytes = 1 << 20

  /// Writes an answer; a result that cannot be written becomes an `internalError`.
  public func reply(_ reply: ControlReply, id: MessageID?) -> Data {
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
  /// - Throws: The error of the parameters' own encoding.
  public func notification(_ notification: ControlNotification) throws -> Data {
    switch notification {
    case .meters(let meters):
      try encoder.encode(Envelope(method: notification.method, params: meters))
    case .event(let event):
      try encoder.encode(Envelope(method: notification.method, params: event))
    case .parameters(let changes):
      try encoder.encode(Envelope(method: notification.method, params: changes))
    case .unknown(_, let params):
      try encoder.encode(Envelope(method: notification.method, params: params))
    }
  }

  /// Writes a notification that only some connections know.
  ///
  /// - Throws: The error of the parameters' own encoding.
  package func notification(_ method: String, _ params: some Encodable) throws -> Data {
    try encoder.encode(Envelope(method: method, params: params))
  }

  private func success(_ result: some Encodable, id: MessageID?) -> Data {
    do {
      return try encoder.encode(Answer(id: id, result: result))
    } catch {
      return failure(ControlError(.internalError, message: "the result: \(error)"), id: id)
    }
  }

  private func failure(_ error: ControlError, id: MessageID?) -> Data {
    // The value contains only numbers and strings, so its encoding cannot fail.
    (try? encoder.encode(Refusal(id: id, error: error))) ?? Data()
  }
}

private struct Envelope<Params: Encodable>: Encodable {
  var jsonrpc = "2.0"
  var id: MessageID?
  var method: String
  var params: Params
}

private struct Answer<Result: Encodable>: Encodable {
  var jsonrpc = "2.0"
  @OrNull var id: MessageID?
  var result: Result
}

private struct Refusal: Encodable {
  var jsonrpc = "2.0"
  @OrNull var id: MessageID?
  var error: ControlError
}

/// The JSON settings that both ends share.
///
/// JSON has no infinity: the numbers that it cannot hold travel as the strings `"-inf"`, `"inf"`
/// and `"nan"`. Keys are sorted, so that the same value always gives the same line.
///
/// Pure value: [any-thread].
package enum JSONCoding {
  /// Makes an encoder.
  package static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan",
    )
    return encoder
  }

  /// Makes a decoder.
  package static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan",
    )
    return decoder
  }
}
