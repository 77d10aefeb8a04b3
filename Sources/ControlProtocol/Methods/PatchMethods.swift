// SPDX-License-Identifier: MIT

public import Sessions

/// Lists the ports of all JACK clients with their connections, and tells who made these.
///
/// Pure value: [any-thread].
public enum ListPatch: ControlMethod {
  /// The name on the wire.
  public static let name = "listPatch"
  /// The empty parameters.
  public typealias Params = NoParams

  /// The patch of the server.
  public struct Result: Codable, Sendable, Hashable {
    /// The ports in natural order.
    public var ports: [PatchPort]
    /// The connections, sorted by source and destination.
    public var connections: [PatchConnection]

    /// Makes the result from its parts.
    public init(ports: [PatchPort], connections: [PatchConnection]) {
      self.ports = ports
      self.connections = connections
    }
  }
}

/// A port of a JACK client.
///
/// Pure value: [any-thread].
public struct PatchPort: Codable, Sendable, Hashable {
  /// The full name, `client:port`.
  public var name: String
  /// The direction, seen from the client.
  @NamedIfKnown public var direction: PatchDirection?
  /// The kind of its signals.
  @NamedIfKnown public var type: PatchType?
  /// Whether it belongs to a client of the host itself.
  public var isHost: Bool
  /// Whether it stands for hardware.
  public var isPhysical: Bool

  /// Makes the value from its parts.
  public init(
    name: String,
    direction: PatchDirection,
    type: PatchType,
    isHost: Bool,
    isPhysical: Bool,
  ) {
    self.name = name
    _direction = NamedIfKnown(direction)
    _type = NamedIfKnown(type)
    self.isHost = isHost
    self.isPhysical = isPhysical
  }
}

/// The direction of a port, seen from its client.
public enum PatchDirection: String, WireNamed, CaseIterable {
  /// Signals flow into the client.
  case input
  /// Signals flow out of it.
  case output
}

/// The kind of a port's signals.
public enum PatchType: String, WireNamed, CaseIterable {
  /// Sound.
  case audio
  /// MIDI messages.
  case midi
}

/// A connection of two ports.
///
/// Pure value: [any-thread].
public struct PatchConnection: Codable, Sendable, Hashable {
  /// The full name of the output port.
  public var source: String
  /// The full name of the input port.
  public var destination: String
  /// The maker.
  @NamedIfKnown public var madeBy: PatchMaker?
  /// The strip, source or route that asks for it; `null` for connections that none asks for.
  @OrNull public var owner: String?
  /// The line of the patch rule that asks for it; `null` for connections that none asks for.
  @OrNull public var line: Int?

  /// Makes the value from its parts.
  public init(
    source: String,
    destination: String,
    madeBy: PatchMaker,
    owner: String? = nil,
    line: Int? = nil,
  ) {
    self.source = source
    self.destination = destination
    _madeBy = NamedIfKnown(madeBy)
    self.owner = owner
    self.line = line
  }

  /// Says that a patch rule asks for it.
  public mutating func by(ruleInLine line: Int) {
    _madeBy = NamedIfKnown(.rule)
    self.line = line
  }
}

/// The maker of a connection, as far as the host knows.
public enum PatchMaker: String, WireNamed, CaseIterable {
  /// The host, as the graph or a session asks.
  case host
  /// The host, which moved a program to its strip.
  case adoption
  /// The host, as a patch rule of the graph asks.
  case rule
  /// A user by hand: the host restores it.
  case user
  /// A program, or anybody between ports that are not the host's.
  case program
}

/// Connects an output port with an input port, as a user does by hand.
///
/// Pure value: [any-thread].
public enum ConnectPorts: ControlMethod {
  /// The name on the wire.
  public static let name = "connect"
  /// The ports.
  public typealias Params = PortPairParams
  /// The result has no values.
  public typealias Result = NoResult

  /// Users' tools.
  public static func access(of params: Params) -> MethodAccess { .users }
}

/// Disconnects two ports, as a user does by hand: the host does not connect them again.
///
/// Pure value: [any-thread].
public enum DisconnectPorts: ControlMethod {
  /// The name on the wire.
  public static let name = "disconnect"
  /// The ports.
  public typealias Params = PortPairParams
  /// The result has no values.
  public typealias Result = NoResult

  /// Users' tools.
  public static func access(of params: Params) -> MethodAccess { .users }
}

/// The parameters of a method about two ports.
///
/// Pure value: [any-thread].
public struct PortPairParams: ControlParams {
  /// The full name of the output port.
  public var source: String
  /// The full name of the input port.
  public var destination: String

  /// Makes the parameters.
  public init(source: String, destination: String) {
    self.source = source
    self.destination = destination
  }

  /// The parameters with their allowed values.
  public static let fields: [ParamField<PortPairParams>] = [
    ParamField("source", allowed: "the full name of an output port, as in listPatch"),
    ParamField("destination", allowed: "the full name of an input port, as in listPatch"),
  ]
}
