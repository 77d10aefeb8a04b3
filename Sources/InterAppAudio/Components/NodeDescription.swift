// SPDX-License-Identifier: MIT

/// The description that a node publishes (IAA-2).
///
/// Pure value: [any-thread].
public struct NodeDescription: Hashable, Sendable {
  /// The kind of the node.
  public var kind: NodeKind
  /// The maker's code of the product.
  public var subtype: FourCharCode
  /// The maker's code.
  public var manufacturer: FourCharCode
  /// The display name.
  public var name: String
  /// Its version, major × 65536 + minor × 256 + patch.
  public var version: UInt32
  /// The name of an icon of the icon theme; nil for none.
  public var iconName: String?
  /// The short names of its ports, by purpose.
  public var ports: NodePorts
  /// Whether it carries the inter-app-audio entitlement (IAA-3).
  public var hasEntitlement: Bool
  /// Whether its session has the option mixWithOthers (IAA-3).
  public var mixesWithOthers: Bool
  /// Whether it also uses system input or output while it is connected (IAA-4).
  public var usesSystemAudio: Bool
  /// Whether its session is active, or held for it (IAA-4).
  public var isSessionActive: Bool
  /// Whether it carries the background-audio flag: it goes on in the background (IAA-8).
  public var hasBackgroundAudio: Bool
  /// The values that its host can change while it runs.
  public var parameters: [NodeParameter]

  /// Makes a description; by default with the entitlement and with mixing.
  public init(
    kind: NodeKind,
    subtype: FourCharCode,
    manufacturer: FourCharCode,
    name: String,
    version: UInt32 = 0x1_0000,
    iconName: String? = nil,
    ports: NodePorts = NodePorts(),
    hasEntitlement: Bool = true,
    mixesWithOthers: Bool = true,
    usesSystemAudio: Bool = false,
    isSessionActive: Bool = false,
    hasBackgroundAudio: Bool = false,
    parameters: [NodeParameter] = [],
  ) {
    self.kind = kind
    self.subtype = subtype
    self.manufacturer = manufacturer
    self.name = name
    self.version = version
    self.iconName = iconName
    self.ports = ports
    self.hasEntitlement = hasEntitlement
    self.mixesWithOthers = mixesWithOthers
    self.usesSystemAudio = usesSystemAudio
    self.isSessionActive = isSessionActive
    self.hasBackgroundAudio = hasBackgroundAudio
    self.parameters = parameters
  }

  /// Whether it needs an active session: it takes audio from a host or the system, or plays to the system (IAA-4).
  public var needsSession: Bool { kind.takesAudio || usesSystemAudio }

  /// The node's identity.
  public var component: AudioComponentDescription {
    AudioComponentDescription(kind: kind, subtype: subtype, manufacturer: manufacturer)
  }

  /// The version as text: `1.0.0`.
  public var versionText: String { "\(version >> 16).\(version >> 8 & 0xff).\(version & 0xff)" }
}

/// The short names of a node's ports, channel by channel.
///
/// Pure value: [any-thread].
public struct NodePorts: Hashable, Sendable {
  /// Audio from the host.
  public var audioInputs: [String]
  /// Audio to the host.
  public var audioOutputs: [String]
  /// MIDI from the host.
  public var midiInputs: [String]

  /// Makes a list.
  public init(
    audioInputs: [String] = [],
    audioOutputs: [String] = [],
    midiInputs: [String] = [],
  ) {
    self.audioInputs = audioInputs
    self.audioOutputs = audioOutputs
    self.midiInputs = midiInputs
  }

  /// The default ports of a kind: `in_1`, `out_1`, … and `midi_in`.
  public static func usual(for kind: NodeKind, channels: Int = 2) -> NodePorts {
    NodePorts(
      audioInputs: kind.takesAudio ? (1...channels).map { "in_\($0)" } : [],
      audioOutputs: (1...channels).map { "out_\($0)" },
      midiInputs: kind.takesMIDI ? ["midi_in"] : [],
    )
  }
}
