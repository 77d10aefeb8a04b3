// SPDX-License-Identifier: MIT

/// The value of a parameter: a number, a switch, a word, or a number for each channel.
///
/// Pure value: [any-thread].
public enum ParameterValue: Hashable, Sendable {
  /// A number, in the parameter's unit; −∞ is silence.
  case number(Double)
  /// A switch.
  case flag(Bool)
  /// A word, one of the parameter's choices where it has some.
  case text(String)
  /// A number for each channel.
  case numbers([Double])
}

/// Pure value: [any-thread].
extension ParameterValue: Codable {
  /// Reads `true`, a number, a string or an array of numbers; `"-inf"` is a string until the parameter is known.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .numbers(try container.decode([Double].self))
    }
  }

  /// Writes the plain JSON value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .text(let text): try container.encode(text)
    case .numbers(let numbers): try container.encode(numbers)
    }
  }
}

extension ParameterValue: CustomStringConvertible {
  /// The value as the command line shows it. [any-thread]
  public var description: String {
    switch self {
    case .number(let number): Self.text(number)
    case .flag(let flag): flag ? "on" : "off"
    case .text(let text): text
    case .numbers(let numbers): numbers.map(Self.text).joined(separator: " ")
    }
  }

  private static func text(_ number: Double) -> String {
    // Adding 0 makes minus zero plain zero.
    Int(exactly: number).map(String.init) ?? "\(number + 0)"
  }
}

/// A parameter and a value: one that it is to have, or one that it has now.
///
/// Pure value: [any-thread].
public struct ParameterSetting: Codable, Sendable, Hashable {
  /// The path, such as `/strip/deck-a/gain`.
  public var path: String
  /// The value.
  public var value: ParameterValue

  /// Makes the value from its parts.
  public init(path: String, value: ParameterValue) {
    self.path = path
    self.value = value
  }
}

/// The parameters that have another path, have changed, come or gone: the parameters of the notification `parameters`.
///
/// Pure value: [any-thread].
public struct ParameterChanges: Codable, Sendable, Hashable {
  /// The branches and parameters that have another path from now on, each after the one before it; left out without any.
  ///
  /// They come before the changes, which have the new paths.
  public var renamed: [ParameterRename]?
  /// The latest value of each parameter that has changed or come, sorted by path.
  public var changes: [ParameterSetting]
  /// The paths of parameters that have gone, sorted.
  public var removed: [String]

  /// Makes the value from its parts.
  public init(
    renamed: [ParameterRename]? = nil,
    changes: [ParameterSetting],
    removed: [String],
  ) {
    self.renamed = renamed
    self.changes = changes
    self.removed = removed
  }
}
