// SPDX-License-Identifier: MIT

public import Sessions

/// A parameter of a running host: everything about it, and its present value.
///
/// Pure value: [any-thread].
public struct ParameterDescription: Codable, Sendable, Hashable {
  /// The path, in which special characters of names are written as `%20`.
  public var path: String
  /// The kind of value.
  @NamedIfKnown public var type: ParameterType?
  /// The least number, `null` without one.
  @OrNull public var minimum: Double?
  /// The greatest number, `null` without one.
  @OrNull public var maximum: Double?
  /// The words that a text can be; empty where it can be any.
  public var choices: [String]
  /// The unit, `null` for a plain number.
  @OrNull public var unit: String?
  /// The travel of a fader over the range.
  @NamedIfKnown public var taper: ParameterTaper?
  /// Whether it can be set.
  @NamedIfKnown public var access: ParameterAccess?
  /// The meaning, in a few words.
  public var description: String
  /// The present value.
  public var value: ParameterValue

  /// Makes the value from its parts.
  public init(
    path: String,
    type: ParameterType,
    minimum: Double? = nil,
    maximum: Double? = nil,
    choices: [String] = [],
    unit: String? = nil,
    taper: ParameterTaper = .linear,
    access: ParameterAccess,
    description: String,
    value: ParameterValue,
  ) {
    self.path = path
    _type = NamedIfKnown(type)
    self.minimum = minimum
    self.maximum = maximum
    self.choices = choices
    self.unit = unit
    _taper = NamedIfKnown(taper)
    _access = NamedIfKnown(access)
    self.description = description
    self.value = value
  }
}

/// The kind of a parameter's value.
public enum ParameterType: String, WireNamed, CaseIterable {
  /// A number.
  case number
  /// A switch.
  case flag
  /// A word.
  case text
  /// A number for each channel.
  case numbers
}

/// The travel of a fader over a parameter's range.
public enum ParameterTaper: String, WireNamed, CaseIterable {
  /// The same distance for the same difference.
  case linear
  /// The same distance for the same ratio, as for frequencies; the range is above 0.
  case logarithmic
  /// The travel of a mixer's fader, ``FaderTaper``: finer towards the top, −∞ at the bottom.
  case fader
}

/// Whether a parameter can be set.
public enum ParameterAccess: String, WireNamed, CaseIterable {
  /// It can be read and watched.
  case read
  /// It can be set, too.
  case readWrite
}
