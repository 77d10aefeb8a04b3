// SPDX-License-Identifier: MIT

internal import CJACK

/// Properties of a port at one moment.
///
/// Pure value: [any-thread].
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

  /// Makes the value from its parts.
  package init(
    name: String,
    client: String,
    shortName: String,
    type: String,
    flags: PortFlags,
    isMine: Bool,
    uuid: UInt64,
    aliases: [String],
  ) {
    self.name = name
    self.client = client
    self.shortName = shortName
    self.type = type
    self.flags = flags
    self.isMine = isMine
    self.uuid = uuid
    self.aliases = aliases
  }

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

/// Direction and properties of a port.
///
/// Pure value: [any-thread].
public struct PortFlags: OptionSet, Hashable, Sendable {
  /// The bits of `JackPortFlags`.
  public let rawValue: UInt32

  /// Makes flags from the bits of `JackPortFlags`.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  private init(_ flag: JackPortFlags) {
    self.init(rawValue: flag.rawValue)
  }

  /// Data flows into the port.
  public static let input = PortFlags(JackPortIsInput)
  /// Data flows out of the port.
  public static let output = PortFlags(JackPortIsOutput)
  /// The port stands for hardware.
  public static let physical = PortFlags(JackPortIsPhysical)
  /// The port's client can monitor it.
  public static let canMonitor = PortFlags(JackPortCanMonitor)
  /// Signals begin or end here: hardware, a synthesiser, a recorder.
  public static let terminal = PortFlags(JackPortIsTerminal)
}

extension PortInfo {
  /// Reads what JACK knows; nil when the port has just gone.
  init?(port: OpaquePointer, of client: OpaquePointer) {
    let name = unsafe ClientConnection.string(jack_port_name(port))
    guard let colon = name.firstIndex(of: ":") else { return nil }
    self.init(
      name: name,
      client: String(name[..<colon]),
      shortName: String(name[name.index(after: colon)...]),
      type: unsafe ClientConnection.string(jack_port_type(port)),
      flags: unsafe PortFlags(rawValue: UInt32(bitPattern: jack_port_flags(port))),
      isMine: unsafe jack_port_is_mine(client, port) != 0,
      uuid: unsafe jack_port_uuid(port),
      aliases: unsafe Self.aliases(of: port),
    )
  }

  private static func aliases(of port: OpaquePointer) -> [String] {
    let size = Int(jack_port_name_size())
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2 * size) { buffer in
      guard let first = buffer.baseAddress else { return [] }
      unsafe buffer.initialize(repeating: 0)
      let places = unsafe [first, first + size]
      let count = unsafe places.withUnsafeBufferPointer { places in
        unsafe places.withMemoryRebound(to: UnsafeMutablePointer<CChar>?.self) { places in
          unsafe jack_port_get_aliases(port, places.baseAddress)
        }
      }
      // PipeWire counts an alias that is empty.
      return unsafe places.prefix(Int(max(count, 0))).map { unsafe String(cString: $0) }
        .filter { !$0.isEmpty }
    }
  }
}
