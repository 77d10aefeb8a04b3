// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import OSC
internal import Sessions

/// A parameter as a method of OSC: its value in its own unit, or the position of its fader.
///
/// Pure value: [any-thread].
struct OSCQueryMethod: Sendable {
  /// The parameter.
  var parameter: ParameterDescription
  /// Whether it is the position of the fader, 0 to 1.
  let isFader: Bool

  /// The address.
  var path: String {
    isFader ? OSCMapping.faderPath(of: parameter) ?? parameter.path : parameter.path
  }

  /// The present values in OSC.
  var values: [OSCValue] {
    isFader
      ? OSCMapping.position(of: parameter.value)
      : OSCMapping.values(of: parameter.value, switches: .tags)
  }

  /// The parameter's value that a message gives it.
  ///
  /// - Throws: ``OSCError`` for a value that it does not take.
  func value(_ values: [OSCValue]) throws(OSCError) -> ParameterValue {
    isFader
      ? try OSCMapping.gain(atPosition: values) : try OSCMapping.value(values, for: parameter)
  }
}

/// Pure functions: [any-thread].
extension OSCQueryMethod {
  /// Writes an attribute.
  ///
  /// - Returns: Whether the method has it.
  func encode(
    _ attribute: OSCQueryAttribute,
    into container: inout KeyedEncodingContainer<OSCQueryAttribute>,
  ) throws -> Bool {
    switch attribute {
    case .fullPath: try container.encode(path, forKey: attribute)
    case .contents: return false
    case .type: try container.encode(type, forKey: attribute)
    case .value: try container.encode(jsonValues, forKey: attribute)
    case .range: return try encode(range.map(repeated), attribute, into: &container)
    case .access: try container.encode(isWritable ? 3 : 1, forKey: attribute)
    case .clipMode:
      let mode = isWritable && range?.highest != nil ? "both" : nil
      return try encode(mode.map(repeated), attribute, into: &container)
    case .unit: return try encode(unit.map(repeated), attribute, into: &container)
    case .description: try container.encode(description, forKey: attribute)
    case .tags: try container.encode(tags, forKey: attribute)
    case .extendedType: return try encode(extendedType, attribute, into: &container)
    case .critical: try container.encode(isCritical, forKey: attribute)
    case .overloads: return try encode(overloads, attribute, into: &container)
    }
    return true
  }

  private func encode(
    _ value: (some Encodable)?,
    _ attribute: OSCQueryAttribute,
    into container: inout KeyedEncodingContainer<OSCQueryAttribute>,
  ) throws -> Bool {
    guard let value else { return false }
    try container.encode(value, forKey: attribute)
    return true
  }

  private var isWritable: Bool { parameter.access == .readWrite }

  /// A lost switch or word is not followed by a newer one soon, as a fader's position is.
  private var isCritical: Bool { parameter.type == .flag || parameter.type == .text }

  /// The number of values.
  private var count: Int {
    if case .numbers(let numbers) = parameter.value { numbers.count } else { 1 }
  }

  private var type: String {
    switch parameter.type {
    case .flag: "T"
    case .text: "s"
    case .number, .numbers, nil: String(repeating: "f", count: count)
    }
  }

  private var jsonValues: [JSONValue] {
    if isFader { return values.map(Self.json) }
    return switch parameter.value {
    case .number(let number): [Self.json(number)]
    case .numbers(let numbers): numbers.map(Self.json)
    case .flag(let isOn): [.bool(isOn)]
    case .text(let text): [.string(text)]
    }
  }

  private static func json(_ value: OSCValue) -> JSONValue {
    if case .float(let number) = value { .number(Double(number)) } else { .null }
  }

  /// JSON knows no infinity (OQ-10).
  private static func json(_ number: Double) -> JSONValue {
    .number(number.isNaN ? OSCMapping.silenceDB : max(OSCMapping.silenceDB, number))
  }

  private var range: OSCQueryRange? {
    if isFader { return OSCQueryRange(lowest: 0, highest: 1) }
    guard parameter.choices.isEmpty else { return OSCQueryRange(values: parameter.choices) }
    guard parameter.minimum != nil || parameter.maximum != nil else { return nil }
    return OSCQueryRange(
      lowest: parameter.minimum.map { max(OSCMapping.silenceDB, $0) },
      highest: parameter.maximum,
    )
  }

  private var unit: String? {
    guard !isFader else { return nil }
    return switch parameter.unit {
    case "dB": "gain.db"
    case "ms": "time.ms"
    case "s": "time.second"
    default: parameter.unit
    }
  }

  private var description: String {
    isFader ? "the position of the fader: \(parameter.description)" : parameter.description
  }

  /// The words of the path that are no names of strips, routes and the like: `strip` and `gain` of `/strip/a/gain`.
  private var tags: [String] {
    let parts = path.split(separator: "/").map(String.init)
    return [parts.first, parts.count > 1 ? parts.last : nil].compactMap(\.self)
  }

  private var extendedType: [String]? {
    switch parameter.type {
    case .flag: ["bool"]
    case .numbers: ["list"]
    default: nil
    }
  }

  private var overloads: [OSCQueryOverload]? {
    guard isWritable else { return nil }
    return switch parameter.type {
    case .number: ["d", "i"].map { OSCQueryOverload(type: $0, range: range.map(repeated)) }
    case .flag:
      ["i", "f"].map { OSCQueryOverload(type: $0, range: [OSCQueryRange(lowest: 0, highest: 1)]) }
    default: nil
    }
  }

  private func repeated<Value>(_ value: Value) -> [Value] { Array(repeating: value, count: count) }
}
