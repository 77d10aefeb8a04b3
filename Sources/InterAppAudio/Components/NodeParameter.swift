// SPDX-License-Identifier: MIT

/// A parameter of a node: a value that its host can change while it runs.
///
/// Pure value: [any-thread].
public struct NodeParameter: Hashable, Sendable {
  /// The kind of value.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// A number.
    case number
    /// A switch: 0 is off, and 1 is on.
    case flag
  }

  /// The travel of a fader or knob over the range.
  public enum Taper: String, Codable, Sendable, CaseIterable {
    /// The same distance for the same difference.
    case linear
    /// The same distance for the same ratio, as for frequencies; the range is above 0.
    case logarithmic
  }

  /// The greatest number of parameters of a node.
  public static let countLimit = 128
  /// The greatest length of a name in characters.
  public static let nameLimit = 48
  /// The greatest length of a unit in bytes.
  public static let unitLimit = 16
  /// The greatest length of a description in bytes.
  public static let descriptionLimit = 200

  /// The name, in the node's part of the tree: up to 48 ASCII letters, digits, `-`, `_` and `.`.
  public var name: String
  /// The kind of value.
  public var kind: Kind
  /// The range of the value; a switch has 0 … 1.
  public var range: ClosedRange<Double>
  /// The unit; nil for a plain number.
  public var unit: String?
  /// The travel of a fader or knob over the range.
  public var taper: Taper
  /// The meaning, in a few words.
  public var description: String
  /// The value: the first one in a description that a node publishes, the present one of a node that runs.
  public var value: Double

  /// Makes a number.
  public init(
    _ name: String,
    range: ClosedRange<Double>,
    unit: String? = nil,
    taper: Taper = .linear,
    description: String,
    value: Double,
  ) {
    self.name = name
    kind = .number
    self.range = range
    self.unit = unit
    self.taper = taper
    self.description = description
    self.value = value
  }

  /// Makes a switch.
  public init(flag name: String, description: String, isOn: Bool) {
    self.init(name, range: 0...1, description: description, value: isOn ? 1 : 0)
    kind = .flag
  }

  /// Whether it can have a value: a finite number in the range, and 0 or 1 for a switch.
  public func allows(_ value: Double) -> Bool {
    value.isFinite && range.contains(value) && (kind == .number || value == 0 || value == 1)
  }

  /// Checks the parameters of a node.
  ///
  /// - Throws: ``InterAppAudioError`` `invalidProperty` with the parameter, the fault and what is allowed.
  static func check(_ parameters: [NodeParameter]) throws(InterAppAudioError) {
    guard parameters.count <= countLimit else {
      throw fault("parameters", "there are \(parameters.count)", "up to \(countLimit)")
    }
    var names: Set<String> = []
    for parameter in parameters {
      try parameter.check()
      guard names.insert(parameter.name).inserted else {
        throw fault("name", "'\(parameter.name)' appears twice", "each name once")
      }
    }
  }

  private func check() throws(InterAppAudioError) {
    try Self.check(name: name)
    guard range.lowerBound.isFinite, range.upperBound.isFinite, range.lowerBound < range.upperBound,
      kind == .number || range == 0...1, taper == .linear || range.lowerBound > 0
    else {
      throw Self.fault(
        name,
        "the range is \(range.lowerBound) … \(range.upperBound)",
        "finite and rising numbers; 0 … 1 for a flag, above 0 for the taper logarithmic",
      )
    }
    guard allows(value) else {
      throw Self.fault(
        name,
        "the value is \(value)",
        "\(range.lowerBound) to \(range.upperBound)",
      )
    }
    guard (unit ?? "").isLine(ofAtMost: Self.unitLimit),
      description.isLine(ofAtMost: Self.descriptionLimit)
    else {
      throw Self.fault(
        name,
        "the unit or the description is too long, or has control characters",
        "\(Self.unitLimit) and \(Self.descriptionLimit) bytes of text",
      )
    }
  }

  /// Checks a name, before any sentence repeats it.
  static func check(name: String) throws(InterAppAudioError) {
    guard (1...nameLimit).contains(name.utf8.count), name.utf8.allSatisfy(isNameByte) else {
      throw fault(
        "name",
        "one is empty, too long, or has other characters",
        "1 to \(nameLimit) ASCII letters, digits, '-', '_' and '.'",
      )
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  static func fault(_ place: String, _ fault: String, _ allowed: String) -> InterAppAudioError {
    InterAppAudioError(.invalidProperty, "\(place): \(fault); allowed: \(allowed)")
  }
}

extension String {
  /// Whether it is one line of at most so many bytes.
  fileprivate func isLine(ofAtMost limit: Int) -> Bool {
    utf8.count <= limit && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
