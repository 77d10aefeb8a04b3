// SPDX-License-Identifier: MIT

/// The details of events about nodes. Pure values: [any-thread].
extension EventPayload {
  /// A node.
  public struct Node: Codable, Sendable, Hashable {
    /// The node's name.
    public var node: String

    /// Makes the value.
    public init(node: String) { self.node = node }
  }

  /// A node's program was started.
  public struct NodeStarted: Codable, Sendable, Hashable {
    /// The node's name.
    public var node: String
    /// The program's process id.
    public var pid: Int32

    /// Makes the value from its parts.
    public init(node: String, pid: Int32) {
      self.node = node
      self.pid = pid
    }
  }

  /// A strip or route went on without its nodes.
  public struct NodeLate: Codable, Sendable, Hashable {
    /// The strip's id, where the nodes belong to a strip.
    public var strip: String?
    /// The route's name, where the nodes belong to a route.
    public var route: String?
    /// The number of times that it began to go on without them, since the host attached.
    public var misses: Int
    /// The cycles without them, since the host attached.
    public var missedCycles: Int

    /// Makes the value from its parts.
    public init(of target: MixTarget, misses: Int, missedCycles: Int) {
      strip = target.strip
      route = target.route
      self.misses = misses
      self.missedCycles = missedCycles
    }
  }

  /// A node is left out, or the effects of a place are.
  public struct NodeFault: Codable, Sendable, Hashable {
    /// The node's name; left out where a user took the effects of a place apart.
    public var node: String?
    /// The fault, in words.
    public var reason: String?
    /// The time until the node is tried again.
    public var retrySeconds: UInt64?
    /// The strip whose effects a user took apart.
    public var strip: String?
    /// The route whose effects a user took apart.
    public var route: String?

    /// A node is left out.
    public init(node: String, reason: String, retrySeconds: UInt64? = nil) {
      self.node = node
      self.reason = reason
      self.retrySeconds = retrySeconds
    }

    /// A user took the effects of a strip or route apart.
    public init(takenApart target: MixTarget) {
      strip = target.strip
      route = target.route
    }
  }

  /// A node asked something of the transport.
  public struct RemoteControl: Codable, Sendable, Hashable {
    /// The node's name.
    public var node: String
    /// The name of its request.
    public var event: String

    /// Makes the value from its parts.
    public init(node: String, event: String) {
      self.node = node
      self.event = event
    }
  }
}
