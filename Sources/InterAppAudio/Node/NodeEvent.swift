// SPDX-License-Identifier: MIT

/// What a node is told.
public enum NodeEvent: Equatable, Sendable {
  /// A host has connected; IsInterAppConnected is 1.
  case connected(HostInfo)
  /// The host has disconnected; IsInterAppConnected is 0.
  case disconnected
  /// The host is gone without a word: stop, or carry on alone.
  case hostDied(name: String)
  /// The host plays, records or cycles otherwise: read the host's time again.
  case hostTransportChanged
  /// The host asks to be shown this node.
  case activated(by: String)
  /// The server is gone; nothing follows.
  case serverGone
}

/// What a node sees of its host.
public struct HostInfo: Hashable, Sendable {
  /// The name of its JACK client.
  public var client: String
  /// Its name for people.
  public var name: String
  /// The name of its icon in the icon theme; nil for none.
  public var iconName: String?

  /// Makes the description of a host.
  public init(client: String, name: String, iconName: String? = nil) {
    self.client = client
    self.name = name
    self.iconName = iconName
  }
}
