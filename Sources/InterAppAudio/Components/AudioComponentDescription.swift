// SPDX-License-Identifier: MIT

/// The identity of a node; with wildcards, a search for nodes.
///
/// Pure value: [any-thread].
public struct AudioComponentDescription: Hashable, Sendable {
  /// The kind, such as `aurx`; 0 matches any.
  public var componentType: FourCharCode
  /// The maker's code of the product; 0 matches any.
  public var componentSubType: FourCharCode
  /// The maker's code; 0 matches any.
  public var componentManufacturer: FourCharCode
  /// Flags; only those in `componentFlagsMask` are compared.
  public var componentFlags: UInt32
  /// The flags that a search compares.
  public var componentFlagsMask: UInt32

  /// Makes a description; omitted fields are wildcards.
  public init(
    componentType: FourCharCode = .any,
    componentSubType: FourCharCode = .any,
    componentManufacturer: FourCharCode = .any,
    componentFlags: UInt32 = 0,
    componentFlagsMask: UInt32 = 0,
  ) {
    self.componentType = componentType
    self.componentSubType = componentSubType
    self.componentManufacturer = componentManufacturer
    self.componentFlags = componentFlags
    self.componentFlagsMask = componentFlagsMask
  }

  /// Makes the description of a node.
  public init(kind: NodeKind, subtype: FourCharCode, manufacturer: FourCharCode) {
    self.init(
      componentType: kind.componentType,
      componentSubType: subtype,
      componentManufacturer: manufacturer,
    )
  }

  /// Whether `other` matches this description with its wildcards.
  public func finds(_ other: AudioComponentDescription) -> Bool {
    func fits(_ wanted: FourCharCode, _ found: FourCharCode) -> Bool {
      wanted == .any || wanted == found
    }
    return fits(componentType, other.componentType)
      && fits(componentSubType, other.componentSubType)
      && fits(componentManufacturer, other.componentManufacturer)
      && componentFlags & componentFlagsMask == other.componentFlags & componentFlagsMask
  }
}

extension AudioComponentDescription {
  /// The identity in the metadata: type, subtype and manufacturer, separated by one space.
  var text: String {
    [componentType, componentSubType, componentManufacturer].map(\.text).joined(separator: " ")
  }

  /// Reads the identity in the metadata; nil for any other text.
  init?(text: String) {
    let characters = Array(text)
    // Codes may contain spaces, so the places count.
    guard characters.count == 14, characters[4] == " ", characters[9] == " ",
      let type = FourCharCode(String(characters[0..<4])),
      let subtype = FourCharCode(String(characters[5..<9])),
      let manufacturer = FourCharCode(String(characters[10..<14]))
    else { return nil }
    self.init(
      componentType: type,
      componentSubType: subtype,
      componentManufacturer: manufacturer,
    )
  }
}

/// The kind of a node (IAA-1).
///
/// Pure value: [any-thread].
public enum NodeKind: String, CaseIterable, Hashable, Sendable, Codable {
  /// Audio out.
  case generator
  /// MIDI in, audio out.
  case instrument
  /// Audio in and out.
  case effect
  /// Audio and MIDI in, audio out.
  case musicEffect

  /// The type of the component: `auri`, `aurg`, `aurx` or `aurm`.
  public var componentType: FourCharCode {
    switch self {
    case .generator: "aurg"
    case .instrument: "auri"
    case .effect: "aurx"
    case .musicEffect: "aurm"
    }
  }

  /// Makes a kind from the type of a component.
  public init?(componentType: FourCharCode) {
    guard let kind = Self.allCases.first(where: { $0.componentType == componentType }) else {
      return nil
    }
    self = kind
  }

  /// Whether the host sends audio to it.
  public var takesAudio: Bool { self == .effect || self == .musicEffect }
  /// Whether the host sends MIDI to it.
  public var takesMIDI: Bool { self == .instrument || self == .musicEffect }
}

/// Four characters in 32 bits, as component types are written: `'aurx'`.
///
/// Pure value: [any-thread].
public struct FourCharCode: RawRepresentable, Hashable, Sendable {
  /// The four characters, the first in the highest byte; 0 is a wildcard.
  public let rawValue: UInt32

  /// Makes a code from its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Any code.
  public static let any = FourCharCode(rawValue: 0)

  /// Makes a code from exactly four printable ASCII characters; nil for any other text.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7e).contains($0) }) else { return nil }
    rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The four characters.
  public var text: String {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 - 8 * $0)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension FourCharCode: ExpressibleByStringLiteral {
  /// Makes a code from a literal, which must have four printable ASCII characters.
  public init(stringLiteral text: String) {
    guard let code = FourCharCode(text) else {
      preconditionFailure("\"\(text)\" has not exactly four printable ASCII characters")
    }
    self = code
  }
}
