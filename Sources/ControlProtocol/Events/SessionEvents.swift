// SPDX-License-Identifier: MIT

public import Sessions

/// The details of events about the tower's decisions and permissions. Pure values: [any-thread].
extension EventPayload {
  /// A session's strip is silent.
  public struct GateClosed: Codable, Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// The strip's id.
    public var strip: String

    /// Makes the value from its parts.
    public init(session: String, strip: String) {
      self.session = session
      self.strip = strip
    }
  }

  /// A call rings, is answered, is declined or ends (INT-8).
  public struct Call: Codable, Sendable, Hashable {
    /// The state of the call.
    @Named public var state: CallState

    /// Makes the value.
    public init(state: CallState) { _state = Named(wrappedValue: state) }
  }

  /// A decision and the rule it follows.
  public struct Decision: Codable, Sendable, Hashable {
    /// The rule.
    @Named public var rule: RuleID
    /// The ids of the sessions that take part, in a decision of the tower.
    public var sessions: [String]?
    /// The program; `null` in a decision of the tower about no program in particular.
    public var app: String?
    /// The session's id, in a decision about one player.
    public var session: String?
    /// The JACK port, in a decision about a connection.
    public var port: String?
    /// The port of the hardware at which `port` is heard directly.
    public var hardware: String?
    /// The capture port that `port` hears through a gate.
    public var capture: String?

    /// A decision of the tower.
    public init(rule: RuleID, sessions: [String], app: String?) {
      self.init(rule: rule, app: app)
      self.sessions = sessions
    }

    /// A decision about one player.
    public init(rule: RuleID, session: String) {
      self.init(rule: rule)
      self.session = session
    }

    /// A decision about a connection of a port, to the hardware where it is given.
    public init(rule: RuleID, port: String, hardware: String? = nil) {
      self.init(rule: rule)
      self.port = port
      self.hardware = hardware
    }

    /// A decision about a program's port that hears a capture through a gate.
    public init(rule: RuleID, app: String, port: String, capture: String) {
      self.init(rule: rule, app: app)
      self.port = port
      self.capture = capture
    }

    private init(rule: RuleID, app: String? = nil) {
      _rule = Named(wrappedValue: rule)
      self.app = app
    }

    /// Writes the parts that are there, and `app` always in a decision of the tower.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(rule.name, forKey: .rule)
      try container.encodeIfPresent(sessions, forKey: .sessions)
      if sessions != nil || app != nil { try container.encode(app, forKey: .app) }
      try container.encodeIfPresent(session, forKey: .session)
      try container.encodeIfPresent(port, forKey: .port)
      try container.encodeIfPresent(hardware, forKey: .hardware)
      try container.encodeIfPresent(capture, forKey: .capture)
    }
  }

  /// A program needs the user's answer, or has a new one.
  public struct Permission: Codable, Sendable, Hashable {
    /// The program.
    public var app: String
    /// Its permission now.
    @Named public var permission: RecordPermission
    /// Whether the user is asked.
    public var asks: Bool
    /// The path of its executable, while the user is asked; `null` if unknown.
    public var executable: String?
    /// The JACK client that wants to record, while the user is asked; `null` before there is one.
    public var client: String?

    /// The user is asked.
    public static func question(_ app: String, executable: String?, client: String?) -> Self {
      Self(
        app: app,
        permission: .undetermined,
        asks: true,
        executable: executable,
        client: client,
      )
    }

    /// A program has a new answer.
    public static func answer(_ app: String, _ permission: RecordPermission) -> Self {
      Self(app: app, permission: permission, asks: false, executable: nil, client: nil)
    }

    private init(
      app: String,
      permission: RecordPermission,
      asks: Bool,
      executable: String?,
      client: String?,
    ) {
      self.app = app
      self.permission = permission
      self.asks = asks
      self.executable = executable
      self.client = client
    }

    /// Writes `executable` and `client` while the user is asked only.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(app, forKey: .app)
      try container.encode(permission.name, forKey: .permission)
      try container.encode(asks, forKey: .asks)
      guard asks else { return }
      try container.encode(executable, forKey: .executable)
      try container.encode(client, forKey: .client)
    }
  }
}
