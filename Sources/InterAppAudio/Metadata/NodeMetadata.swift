// SPDX-License-Identifier: MIT

public import JACK

/// The keys of the JACK metadata of nodes and hosts; docs/nodes.md describes their values.
public enum NodeMetadata {
  /// The prefix of every key of a node.
  public static let nodePrefix = "urn:multiroute:node:"
  /// The prefix of every key of a host.
  public static let hostPrefix = "urn:multiroute:host:"

  private static func node(_ name: String) -> MetadataKey {
    MetadataKey(rawValue: nodePrefix + name)
  }

  private static func host(_ name: String) -> MetadataKey {
    MetadataKey(rawValue: hostPrefix + name)
  }

  // MARK: - On a node's client, by the node

  /// The raw value of the ``NodeKind``.
  ///
  /// A node writes it last: when it is there, all other properties can be read.
  public static let kind = node("kind")
  /// Four characters.
  public static let subtype = node("subtype")
  /// Four characters.
  public static let manufacturer = node("manufacturer")
  /// A number, major × 65536 + minor × 256 + patch.
  public static let version = node("version")
  /// The node's own `SERVER/CLIENT`.
  ///
  /// jackd keeps the metadata of all servers of a user in one store and reuses ids after a restart. This value shows
  /// whether metadata belongs to the client with the id, or to a killed one that had the id before.
  public static let client = node("client")
  /// The node's process id, which libjack does not report.
  public static let processID = node("pid")
  /// Any of `entitlement mixWithOthers usesSystemAudio sessionActive backgroundAudio`, separated by spaces.
  public static let flags = node("flags")
  /// Short names of ports, one per line.
  public static let audioInputs = node("audio-inputs")
  /// Short names of ports, one per line.
  public static let audioOutputs = node("audio-outputs")
  /// Short names of ports, one per line.
  public static let midiInputs = node("midi-inputs")
  /// `NUMBER COUNT`: an ``AudioUnitRemoteControlEvent``, and the number of commands so far.
  public static let remoteControl = node("remote-control")
  /// The number of callbacks since publishing that took longer than their period.
  public static let overruns = node("overruns")

  /// The list of the node's parameters, in JSON; see ``NodeParameter``.
  public static let parameters = node("parameters")

  // MARK: - On a node's client, by its host

  /// `SERVER/CLIENT` of the connected host.
  public static let connectedHost = node("host")
  /// The component that the host used: type, subtype and manufacturer, four characters each, separated by one space.
  ///
  /// A host writes it before ``connectedHost``.
  public static let hostComponent = node("host-component")

  private static let parameterPrefix = nodePrefix + "parameter:"

  /// The value that a parameter is to have, a number as text.
  ///
  /// The host writes it, or any other program of the user; the node takes it up. [any-thread]
  public static func parameter(_ name: String) -> MetadataKey {
    MetadataKey(rawValue: parameterPrefix + name)
  }

  /// The name of the parameter whose value has this key; nil for other keys. [any-thread]
  static func parameterName(_ key: MetadataKey) -> String? {
    guard key.rawValue.hasPrefix(parameterPrefix) else { return nil }
    return String(key.rawValue.dropFirst(parameterPrefix.count))
  }

  // MARK: - On a host's client

  /// Any of `entitlement mixWithOthers sessionActive backgroundAudio remoteControl`, separated by spaces.
  public static let hostFlags = host("flags")
  /// Recording and cycle, with the first frame for which they are valid; see ``HostTransportState``.
  public static let hostTransport = host("transport")

  // MARK: - On either

  /// `CLIENT COUNT`: the client that asks this program to come to the front.
  public static let activate = MetadataKey(rawValue: "urn:multiroute:activate")
}
