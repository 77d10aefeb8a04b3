// SPDX-License-Identifier: MIT

/// What a node is (IAA-1).
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
