// SPDX-License-Identifier: MIT

/// What joins an answer to its request: chosen by the client, a string or an integer.
public enum RequestID: Hashable, Sendable {
  /// An integer id.
  case integer(Int64)
  /// A string id.
  case string(String)
}

extension RequestID: Codable {
  /// Reads a string or an integer; fractions, `null` and anything else are refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the id exactly as the client sent it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    }
  }
}
