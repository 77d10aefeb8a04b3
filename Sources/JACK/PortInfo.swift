// SPDX-License-Identifier: MIT

/// What JACK knows about a port, at one moment.
public struct PortInfo: Hashable, Sendable {
  /// `client:port`.
  public let name: String
  /// The name of the client, as far as the first colon.
  public let client: String
  /// The name without its client.
  public let shortName: String
  /// The type, such as ``AudioKind/typeName``.
  public let type: String
  /// Direction and properties.
  public let flags: PortFlags
  /// Whether the port belongs to the client that asked.
  public let isMine: Bool
  /// The subject of the port's metadata.
  public let uuid: UInt64
  /// At most two further names.
  public let aliases: [String]

  /// Whether audio flows.
  public var isAudio: Bool { type == AudioKind.typeName }
  /// Whether MIDI flows.
  public var isMIDI: Bool { type == MIDIKind.typeName }
  /// Whether data flows into the port.
  public var isInput: Bool { flags.contains(.input) }
  /// Whether data flows out of the port.
  public var isOutput: Bool { flags.contains(.output) }
  /// Whether the port stands for hardware.
  public var isPhysical: Bool { flags.contains(.physical) }
  /// Whether signals begin or end here.
  public var isTerminal: Bool { flags.contains(.terminal) }
}
