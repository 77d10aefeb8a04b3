// SPDX-License-Identifier: MIT

public import JACK

/// The keys under which nodes and hosts say in JACK's metadata what they are; see docs/nodes.md.
public enum NodeMetadata {
  /// Begins every key of a node.
  public static let nodePrefix = "urn:multiroute:node:"
  /// Begins every key of a host.
  public static let hostPrefix = "urn:multiroute:host:"

  private static func node(_ name: String) -> MetadataKey {
    MetadataKey(rawValue: nodePrefix + name)
  }

  private static func host(_ name: String) -> MetadataKey {
    MetadataKey(rawValue: hostPrefix + name)
  }

  // MARK: - On a node's client, by the node

  /// Which kind of node, by the raw value of ``NodeKind``.
  ///
  /// Written last: whoever sees it can read the rest.
  public static let kind = node("kind")
  /// Four characters.
  public static let subtype = node("subtype")
  /// Four characters.
  public static let manufacturer = node("manufacturer")
  /// A number, major × 65536 + minor × 256 + patch.
  public static let version = node("version")
  /// `SERVER/CLIENT`: whom the metadata is about.
  ///
  /// jackd keeps the metadata of all servers of a user in one place, and gives the same ids anew
  /// after a restart: what a killed client has left is told from the living by this.
  public static let client = node("client")
  /// The process that the node lives in; libjack does not tell it.
  public static let processID = node("pid")
  /// Of `entitlement mixWithOthers usesSystemAudio sessionActive` those that hold.
  public static let flags = node("flags")
  /// Short names of ports, one a line.
  public static let audioInputs = node("audio-inputs")
  /// Short names of ports, one a line.
  public static let audioOutputs = node("audio-outputs")
  /// Short names of ports, one a line.
  public static let midiInputs = node("midi-inputs")
  /// `NUMBER COUNT`: an ``AudioUnitRemoteControlEvent`` and how many there have been.
  public static let remoteControl = node("remote-control")
  /// How many callbacks have taken longer than their period since publishing.
  public static let overruns = node("overruns")

  // MARK: - On a node's client, by its host

  /// `SERVER/CLIENT`: the host that the node is connected with.
  public static let connectedHost = node("host")

  // MARK: - On a host's client

  /// Of `entitlement mixWithOthers sessionActive` those that hold.
  public static let hostFlags = host("flags")
  /// Recording and cycle with the frame they hold from; see ``HostTransportState``.
  public static let hostTransport = host("transport")

  // MARK: - On either

  /// `CLIENT COUNT`: the peer asks to be brought to the front.
  public static let activate = MetadataKey(rawValue: "urn:multiroute:activate")
}
