// SPDX-License-Identifier: MIT

/// Writes a missing value as `null` instead of leaving the key out, so that scripts find every key.
///
/// Pure value: [any-thread].
@propertyWrapper
public struct OrNull<Value: Codable & Sendable & Hashable>: Sendable, Hashable {
  /// The value.
  public var wrappedValue: Value?

  /// Wraps a value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

/// Pure value: [any-thread].
extension OrNull: Codable {
  /// Reads a value or `null`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  /// Writes the value or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue)
  }
}

/// Pure value: [any-thread].
extension KeyedDecodingContainer {
  /// Reads a value that may be `null` or left out.
  public func decode<Value>(
    _ type: OrNull<Value>.Type,
    forKey key: Key,
  ) throws -> OrNull<Value> {
    OrNull(wrappedValue: try decodeIfPresent(Value.self, forKey: key))
  }
}
