// SPDX-License-Identifier: MIT

/// What has happened to the nodes of a server.
public enum RegistrationChange: Equatable, Sendable {
  /// A node has published itself.
  case published(Node)
  /// A node says something else about itself, or has another host.
  case changed(Node)
  /// A node is gone: whoever was connected has an invalid instance.
  case withdrawn(Node)
  /// A node asks something of its host's transport.
  case remoteControl(Node, AudioUnitRemoteControlEvent)
  /// A node's callbacks have taken longer than their period, so many times since it published.
  case overran(Node, count: Int)
}
