// SPDX-License-Identifier: MIT

/// The parameters of a method.
///
/// Anything left out of `params` must be optional in Swift; keys that `fields` does not list are
/// refused, so that a misspelt parameter is never silently ignored.
public protocol ControlParams: Codable, Sendable, Hashable {
  /// The parameters with their allowed values.
  static var fields: [ParamField<Self>] { get }
}

extension ControlParams {
  /// Finds the first parameter whose value is not allowed.
  ///
  /// - Throws: `badValue` with the parameter's name, the fault and the allowed values. [any-thread]
  public func check() throws(ControlError) {
    for field in Self.fields {
      if let fault = field.fault(self) {
        throw ControlError(.badValue, place: field.name, fault: fault, allowed: field.allowed)
      }
    }
  }
}

/// The parameters of a method without parameters.
///
/// Pure value: [any-thread].
public struct NoParams: ControlParams {
  /// The empty list.
  public static let fields: [ParamField<NoParams>] = []

  /// Makes the empty parameters.
  public init() {}
}

/// The result of a method without results.
///
/// Pure value: [any-thread].
public struct NoResult: Codable, Sendable, Hashable {
  /// Makes the empty result.
  public init() {}
}

/// One parameter of a method: its name, its allowed values, and the check of a value.
///
/// The list of fields is the single source for refusing unknown parameters, for the wording of
/// errors and for the documentation.
///
/// Pure value: [any-thread].
public struct ParamField<Params>: Sendable {
  /// The key in `params`.
  public let name: String
  /// The allowed values, in words.
  public let allowed: String
  /// Whether its numbers are whole.
  public let isWhole: Bool
  /// Returns the fault of the value, `nil` without one.
  public let fault: @Sendable (Params) -> String?

  /// Makes a field with its own check.
  public init(
    _ name: String,
    allowed: String,
    isWhole: Bool = false,
    fault: @escaping @Sendable (Params) -> String? = { _ in nil },
  ) {
    self.name = name
    self.allowed = allowed
    self.isWhole = isWhole
    self.fault = fault
  }
}

/// Pure value: [any-thread].
extension ParamField {
  /// A number within a range; NaN never is.
  public static func number(
    _ name: String,
    in range: ClosedRange<Double>,
    _ meaning: String,
    _ value: @escaping @Sendable (Params) -> Double?,
  ) -> ParamField {
    ParamField(
      name,
      allowed: "a number from \(text(range.lowerBound)) to \(text(range.upperBound)), \(meaning)"
    ) {
      guard let number = value($0), !range.contains(number) else { return nil }
      return "\(text(number)) is out of range"
    }
  }

  /// A whole number within a range.
  public static func integer(
    _ name: String,
    in range: ClosedRange<Int>,
    _ meaning: String,
    _ value: @escaping @Sendable (Params) -> Int?,
  ) -> ParamField {
    ParamField(
      name,
      allowed: "a whole number from \(range.lowerBound) to \(range.upperBound), \(meaning)",
      isWhole: true,
    ) {
      guard let number = value($0), !range.contains(number) else { return nil }
      return "\(number) is out of range"
    }
  }

  /// A gain in dB; "-inf" is silence.
  public static func gainDB(_ value: @escaping @Sendable (Params) -> Double?) -> ParamField {
    ParamField(
      "gainDB",
      allowed: "a number of dB up to \(text(GainLimits.highestDB)), or \"-inf\" for silence"
    ) {
      guard let gain = value($0), !(gain <= GainLimits.highestDB) else { return nil }
      return "\(text(gain)) is out of range"
    }
  }

  /// A ramp's length in milliseconds, the host's own default when left out.
  public static func ramp(_ value: @escaping @Sendable (Params) -> Double?) -> ParamField {
    number("rampMilliseconds", in: 0...60_000, "milliseconds (left out: the host's default)", value)
  }

  /// A number without a trailing ".0".
  private static func text(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}

extension ParamField {
  /// A strip's id.
  static var strip: ParamField { ParamField("strip", allowed: "a strip's id, a string") }
  /// A route's name.
  static var route: ParamField { ParamField("route", allowed: "a route's name, a string") }

  /// The two keys of a ``MixTarget``.
  static var target: [ParamField] {
    [
      ParamField("strip", allowed: "a strip's id, a string; with route, the send between them"),
      ParamField("route", allowed: "a route's name, a string; with strip, the send between them"),
    ]
  }
}

/// The gains that the protocol takes.
///
/// Gains are decibels of amplitude, 0 is unity. Silence is minus infinity in Swift and the string
/// `"-inf"` in JSON, which cannot express infinity; `null` would read as "unknown".
public enum GainLimits {
  /// The highest gain that can be set, in dB.
  public static let highestDB = 24.0
}
