// SPDX-License-Identifier: MIT

public import Sessions

/// Carries category options as an array of their names where a host says them.
///
/// Names that this version does not know are kept as they came, and count for no option.
/// Pure value: [any-thread].
@propertyWrapper
public struct OptionNames: Sendable, Hashable {
  /// The names.
  public private(set) var names: [String]

  /// The options that this version knows.
  public var wrappedValue: CategoryOptions {
    get { names.compactMap(CategoryOptions.init(name:)).reduce(into: []) { $0.formUnion($1) } }
    set { names = newValue.names }
  }
  /// The names.
  public var projectedValue: [String] { names }

  /// Wraps options.
  public init(wrappedValue: CategoryOptions) { names = wrappedValue.names }
}

extension OptionNames: Codable {
  /// Reads an array of names.
  public init(from decoder: any Decoder) throws {
    names = try decoder.singleValueContainer().decode([String].self)
  }

  /// Writes the names.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }
}

/// Carries category options as an array of their names where a client asks for them: an unknown name is refused.
///
/// The key is omitted without options.
///
/// Pure value: [any-thread].
@propertyWrapper
public struct OptionNamesIfPresent: Sendable, Hashable {
  /// The options.
  public var wrappedValue: CategoryOptions?

  /// Wraps options.
  public init(wrappedValue: CategoryOptions?) { self.wrappedValue = wrappedValue }
}

extension OptionNamesIfPresent: Codable {
  /// Reads an array of names or `null`.
  ///
  /// - Throws: `badValue` with the key, the first unknown name and the allowed names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue =
      container.decodeNil()
      ? nil
      : try CategoryOptions(
        checking: container.decode([String].self),
        at: decoder.codingPath.place,
      )
  }

  /// Writes the names or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(wrappedValue?.names)
  }
}

/// Pure value: [any-thread].
extension KeyedDecodingContainer {
  /// Reads an array of names that may be `null` or left out.
  public func decode(
    _ type: OptionNamesIfPresent.Type,
    forKey key: Key,
  ) throws -> OptionNamesIfPresent {
    try decodeIfPresent(type, forKey: key) ?? OptionNamesIfPresent(wrappedValue: nil)
  }
}

/// Pure value: [any-thread].
extension KeyedEncodingContainer {
  /// Writes an array of names; omits the key without one.
  public mutating func encode(_ value: OptionNamesIfPresent, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue?.names, forKey: key)
  }
}

extension CategoryOptions {
  /// The allowed names, in words.
  static let allowed = "names of category options: " + named.map(\.name).joined(separator: ", ")

  /// Finds options by their names.
  ///
  /// - Throws: `badValue` with the place, the first unknown name and the allowed names.
  package init(checking names: [String], at place: String) throws(ControlError) {
    self = []
    for name in names {
      guard let option = CategoryOptions(name: name) else {
        let names = Self.named.map(\.name).joined(separator: ", ")
        throw .unknownSetting(name, at: place, allowed: names)
      }
      formUnion(option)
    }
  }
}
