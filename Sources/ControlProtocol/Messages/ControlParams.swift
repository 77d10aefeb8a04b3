// SPDX-License-Identifier: MIT

/// What a method takes.
///
/// Anything left out of `params` must be optional in Swift; keys that `fields` does not list are
/// refused, so that a misspelt parameter is never silently ignored.
public protocol ControlParams: Codable, Sendable, Hashable {
  /// Every parameter with what it may be.
  static var fields: [ParamField<Self>] { get }
}

extension ControlParams {
  /// Finds the first parameter whose value is not allowed.
  ///
  /// - Throws: `badValue` with the parameter's name, the fault and what is allowed.
  /// [any-thread]
  public func check() throws(ControlError) {
    for field in Self.fields {
      if let fault = field.fault(self) {
        throw ControlError(.badValue, place: field.name, fault: fault, allowed: field.allowed)
      }
    }
  }
}

/// The parameters of a method that takes none.
public struct NoParams: ControlParams {
  /// No fields.
  public static let fields: [ParamField<NoParams>] = []

  /// Makes the empty parameters.
  public init() {}
}

/// The result of a method that has nothing to tell.
public struct NoResult: Codable, Sendable, Hashable {
  /// Makes the empty result.
  public init() {}
}
