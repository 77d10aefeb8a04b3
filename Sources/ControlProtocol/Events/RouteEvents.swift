// SPDX-License-Identifier: MIT

public import Sessions

/// The details of events about routes, their helper programs and sound cards.
/// Pure values: [any-thread].
extension EventPayload {
  /// A route.
  public struct Route: Codable, Sendable, Hashable {
    /// The route's name.
    public var route: String

    /// Makes the value.
    public init(route: String) { self.route = route }
  }

  /// A route's delay was changed.
  public struct Alignment: Codable, Sendable, Hashable {
    /// The route's name.
    public var route: String
    /// The delay that the host adds.
    public var delayFrames: Int
    /// The remaining error: late, or early if negative; `null` while it is unknown.
    @OrNull public var errorFrames: Int?

    /// Makes the value from its parts.
    public init(route: String, delayFrames: Int, errorFrames: Int?) {
      self.route = route
      self.delayFrames = delayFrames
      self.errorFrames = errorFrames
    }
  }

  /// A report about the helper program of a route.
  public struct Helper: Codable, Sendable, Hashable {
    /// The kinds of reports.
    public enum State: String, Codable, Sendable, Hashable {
      /// The program was started.
      case started
      /// The program ended.
      case ended
      /// A bridge reported an event.
      case event
    }

    /// The route's name.
    public var route: String
    /// The kind of report.
    public var state: State
    /// The process id, with `started`.
    public var pid: Int32?
    /// The reason, with `ended`.
    public var reason: String?
    /// The bridge's event, with `event`; docs/bridges.md lists them.
    public var event: String?

    /// The program was started.
    public static func started(_ route: String, pid: Int32) -> Self {
      Self(route: route, state: .started, pid: pid)
    }

    /// The program ended.
    public static func ended(_ route: String, reason: String) -> Self {
      Self(route: route, state: .ended, reason: reason)
    }

    /// A bridge reported an event.
    public static func event(_ route: String, event: String) -> Self {
      Self(route: route, state: .event, event: event)
    }

    private init(
      route: String,
      state: State,
      pid: Int32? = nil,
      reason: String? = nil,
      event: String? = nil,
    ) {
      self.route = route
      self.state = state
      self.pid = pid
      self.reason = reason
      self.event = event
    }
  }

  /// A sound card appeared or vanished.
  public struct Device: Codable, Sendable, Hashable {
    /// ALSA's name.
    public var device: String
    /// The name that people read.
    public var name: String
    /// The type that a route to it would have.
    @Named public var type: PortType
    /// Whether the card is there.
    public var present: Bool

    /// Makes the value from its parts.
    public init(device: String, name: String, type: PortType, present: Bool) {
      self.device = device
      self.name = name
      self.type = type
      self.present = present
    }
  }
}
