// SPDX-License-Identifier: MIT

/// A value with one name for the control socket, graph files, the command line and messages.
///
/// The names are part of these interfaces: a case may be renamed in Swift, its name here stays.
/// Pure values: [any-thread].
public protocol WireNamed: Hashable, Sendable {
  /// The allowed names, in words, for an error.
  static var allowed: String { get }

  /// The name.
  var name: String { get }

  /// Finds the value with a name; case matters.
  init?(name: String)
}

extension WireNamed where Self: CaseIterable {
  /// The names of all cases, in their order.
  public static var allowed: String { "one of " + allCases.map(\.name).joined(separator: ", ") }

  /// Finds the case with a name; case matters.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}

extension WireNamed where Self: RawRepresentable, RawValue == String {
  /// The raw value.
  public var name: String { rawValue }
}
