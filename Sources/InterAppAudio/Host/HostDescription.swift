// SPDX-License-Identifier: MIT

public import JACK

/// The description that a host publishes to its nodes.
///
/// Pure value: [any-thread].
public struct HostDescription: Hashable, Sendable {
  /// The display name.
  public var name: String
  /// The name of its icon in the icon theme; nil for none.
  public var iconName: String?
  /// Whether it carries the inter-app-audio entitlement (IAA-3).
  public var hasEntitlement: Bool
  /// Whether its session has the option mixWithOthers (IAA-3).
  public var mixesWithOthers: Bool
  /// Whether its session is active (IAA-4).
  public var isSessionActive: Bool
  /// Whether it takes remote-control commands of its nodes (IAA-8).
  public var takesRemoteControl: Bool
  /// Whether it carries the background-audio flag: it goes on in the background (IAA-8).
  public var hasBackgroundAudio: Bool

  /// Makes a description; by default of a host with all permissions.
  public init(
    name: String,
    iconName: String? = nil,
    hasEntitlement: Bool = true,
    mixesWithOthers: Bool = true,
    isSessionActive: Bool = true,
    takesRemoteControl: Bool = true,
    hasBackgroundAudio: Bool = true,
  ) {
    self.name = name
    self.iconName = iconName
    self.hasEntitlement = hasEntitlement
    self.mixesWithOthers = mixesWithOthers
    self.isSessionActive = isSessionActive
    self.takesRemoteControl = takesRemoteControl
    self.hasBackgroundAudio = hasBackgroundAudio
  }

  /// Checks whether this host and a node may be connected (IAA-3, IAA-4).
  ///
  /// - Throws: ``InterAppAudioError`` `notPermitted`, with the missing conditions and their places.
  public func checkAccess(to node: Node) throws(InterAppAudioError) {
    let said = node.description
    var missing: [String] = []
    if !hasEntitlement { missing.append("host '\(name)' lacks the inter-app-audio entitlement") }
    if !said.hasEntitlement {
      missing.append("node '\(node.name)' lacks the inter-app-audio entitlement")
    }
    if !mixesWithOthers { missing.append("the session of host '\(name)' lacks mixWithOthers") }
    if !said.mixesWithOthers {
      missing.append("the session of node '\(node.name)' lacks mixWithOthers")
    }
    let rule = missing.isEmpty ? "IAA-4" : "IAA-3"
    if !isSessionActive { missing.append("the session of host '\(name)' is not active") }
    if said.needsSession, !said.isSessionActive {
      let use = said.usesSystemAudio ? "uses system audio" : "takes the host's audio"
      missing.append("node '\(node.name)' \(use) and its session is not active")
    }
    guard missing.isEmpty else {
      throw InterAppAudioError(.notPermitted, "\(rule): " + missing.joined(separator: "; "))
    }
  }

  /// Writes the description to the metadata of the host's client. [control-thread & active]
  public func publish(on connection: ClientConnection) throws(JACKError) {
    var flags: NodeFlags = []
    if hasEntitlement { flags.insert(.entitlement) }
    if mixesWithOthers { flags.insert(.mixWithOthers) }
    if isSessionActive { flags.insert(.sessionActive) }
    if takesRemoteControl { flags.insert(.remoteControl) }
    if hasBackgroundAudio { flags.insert(.backgroundAudio) }
    var properties: [(key: MetadataKey, value: MetadataValue)] = [
      (.prettyName, MetadataValue(name))
    ]
    if let iconName { properties.append((.iconName, MetadataValue(iconName))) }
    properties.append((NodeMetadata.hostFlags, MetadataValue(flags.text)))
    try connection.describe(connection.uuid, as: properties, replacingOthers: true)
  }
}
