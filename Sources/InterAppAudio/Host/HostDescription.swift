// SPDX-License-Identifier: MIT

public import JACK

/// What a host says about itself to its nodes.
public struct HostDescription: Hashable, Sendable {
  /// Its name for people.
  public var name: String
  /// The name of its icon in the icon theme; nil for none.
  public var iconName: String?
  /// Whether it carries the inter-app-audio entitlement (IAA-3).
  public var hasEntitlement: Bool
  /// Whether its session has the option mixWithOthers (IAA-3).
  public var mixesWithOthers: Bool
  /// Whether its session is active (IAA-4).
  public var isSessionActive: Bool

  /// Makes a description of a host that may do everything, unless told otherwise.
  public init(
    name: String,
    iconName: String? = nil,
    hasEntitlement: Bool = true,
    mixesWithOthers: Bool = true,
    isSessionActive: Bool = true,
  ) {
    self.name = name
    self.iconName = iconName
    self.hasEntitlement = hasEntitlement
    self.mixesWithOthers = mixesWithOthers
    self.isSessionActive = isSessionActive
  }

  /// Checks whether this host and a node may be connected (IAA-3, IAA-4).
  ///
  /// - Throws: ``InterAppAudioError`` `notPermitted` that says what is missing and where.
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
    if said.usesSystemAudio, !said.isSessionActive {
      missing.append(
        "node '\(node.name)' uses system audio and its session is not active"
      )
    }
    guard missing.isEmpty else {
      throw InterAppAudioError(.notPermitted, "\(rule): " + missing.joined(separator: "; "))
    }
  }

  /// Writes it in the metadata of the host's client.
  public func publish(on connection: ClientConnection) throws(JACKError) {
    var flags: NodeFlags = []
    if hasEntitlement { flags.insert(.entitlement) }
    if mixesWithOthers { flags.insert(.mixWithOthers) }
    if isSessionActive { flags.insert(.sessionActive) }
    let uuid = connection.uuid
    try connection.setMetadata(MetadataValue(name), for: .prettyName, of: uuid)
    if let iconName {
      try connection.setMetadata(MetadataValue(iconName), for: .iconName, of: uuid)
    }
    try connection.setMetadata(
      MetadataValue(flags.text),
      for: NodeMetadata.hostFlags,
      of: uuid,
    )
  }
}
