// SPDX-License-Identifier: MIT

public import Sessions

/// Carries a value by its name where a host says it; a name that this version does not know is kept as it came.
///
/// A host may be newer than its client. One name that the client does not know must not cost it the rest of an answer:
/// the value is nil then, and the name can still be shown. ``Named`` reads the names of a client's request instead.
/// Pure value: [any-thread].
@propertyWrapper
public struct NamedIfKnown<Value: WireNamed>: Sendable, Hashable {
  /// The name on the wire.
  public let name: String

  /// The value; nil where this version does not know its name.
  public var wrappedValue: Value? { Value(name: name) }
  /// The name on the wire.
  public var projectedValue: String { name }

  /// Carries a value that this version knows.
  public init(_ value: Value) { name = value.name }
}

extension NamedIfKnown: Codable {
  /// Reads any name.
  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }

  /// Writes the name as it came.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}

extension NamedIfKnown: CustomStringConvertible {
  /// The name on the wire.
  public var description: String { name }
}
