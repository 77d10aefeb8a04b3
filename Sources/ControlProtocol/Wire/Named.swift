// SPDX-License-Identifier: MIT

public import Sessions

/// Carries a value by its name where a client asks for something: an unknown name is refused with the names that exist.
///
/// ``NamedIfKnown`` reads the names of a host instead.
/// Pure value: [any-thread].
@propertyWrapper
public struct Named<Value: WireNamed>: Sendable, Hashable {
  /// The value.
  public var wrappedValue: Value

  /// Wraps a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Named: Codable {
  /// Reads a name.
  ///
  /// - Throws: `badValue` with the key, the name and the allowed names.
  public init(from decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    wrappedValue = try Value(checking: name, at: decoder.codingPath.place)
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue.name)
  }
}

/// Carries a value by its name where a client may ask for something; the key is omitted without a value.
///
/// Pure value: [any-thread].
@propertyWrapper
public struct NamedIfPresent<Value: WireNamed>: Sendable, Hashable {
  /// The value.
  public var wrappedValue: Value?

  /// Wraps a value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }
}

extension NamedIfPresent: Codable {
  /// Reads a name or `null`.
  ///
  /// - Throws: `badValue` with the key, the name and the allowed names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try Named<Value>(from: decoder).wrappedValue
  }

  /// Writes the name or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue?.name)
  }
}

/// Pure value: [any-thread].
extension KeyedDecodingContainer {
  /// Reads a name that may be `null` or left out.
  public func decode<Value>(
    _ type: NamedIfPresent<Value>.Type,
    forKey key: Key,
  ) throws -> NamedIfPresent<Value> {
    NamedIfPresent(wrappedValue: try decodeIfPresent(Named<Value>.self, forKey: key)?.wrappedValue)
  }
}

/// Pure value: [any-thread].
extension KeyedEncodingContainer {
  /// Writes a name; omits the key without one.
  public mutating func encode<Value>(
    _ value: NamedIfPresent<Value>,
    forKey key: Key,
  ) throws {
    try encodeIfPresent(value.wrappedValue?.name, forKey: key)
  }
}

// MARK: - Unknown names

extension WireNamed {
  /// Finds a value by its name.
  ///
  /// - Throws: `badValue` with the place, the name and the allowed names.
  package init(checking name: String, at place: String) throws(ControlError) {
    guard let value = Self(name: name) else {
      if let setting = Self.self as? any SessionSetting.Type {
        throw .unknownSetting(name, at: place, allowed: setting.settings)
      }
      throw ControlError(
        .badValue,
        place: place,
        fault: "'\(name.prefix(64))' is not known",
        allowed: Self.allowed,
      )
    }
    self = value
  }
}

/// A part of a session's configuration: the tower refuses it, so an unknown name is answered as the tower answers.
private protocol SessionSetting {
  /// The names that are allowed.
  static var settings: String { get }
}

extension Category: SessionSetting {
  static var settings: String { allCases.map(\.name).joined(separator: ", ") }
}

extension Mode: SessionSetting {
  static var settings: String { allCases.map(\.name).joined(separator: ", ") }
}

extension Compatibility: SessionSetting {
  static var settings: String { allowed }
}

extension ControlError {
  /// A name that no part of a session's configuration has, with rule SES-2 and the SDK's error code.
  static func unknownSetting(_ name: String, at place: String, allowed: String) -> ControlError {
    let fault = Fault.value(name: place, given: String(name.prefix(128)), allowed: allowed)
    return ControlError(SessionError(.badParam, fault, .ses2))
  }
}

extension [any CodingKey] {
  /// The key of the parameter that the path leads to.
  var place: String { last { $0.intValue == nil }?.stringValue ?? "params" }
}
