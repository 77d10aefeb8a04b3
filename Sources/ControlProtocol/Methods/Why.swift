// SPDX-License-Identifier: MIT

public import Sessions

/// Says why an app is heard, low or silent, and what would change it.
///
/// Pure value: [any-thread].
public enum Why: ControlMethod {
  /// The name on the wire.
  public static let name = "why"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The program's name, or a session's id.
    public var app: String

    /// Makes the parameters.
    public init(app: String) { self.app = app }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      SessionField.text("app", "a program's name or a session's id") { $0.app }
    ]
  }

  /// The app's sessions.
  public struct Result: Codable, Sendable, Hashable {
    /// One explanation for each.
    public var sessions: [Explanation]
    /// The connections of the program's ports that patch rules ask for, in a sentence each.
    public var patches: [String]

    /// Makes the result.
    public init(sessions: [Explanation], patches: [String] = []) {
      self.sessions = sessions
      self.patches = patches
    }
  }

  /// Why one session sounds as it does.
  public struct Explanation: Codable, Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// Whether it is heard, and at which level.
    @NamedIfKnown public var level: Sessions.Explanation.Level?
    /// The reason, in a sentence.
    public var sentence: String
    /// An action that would change it, in a sentence; `null` if all is as it should be.
    @OrNull public var remedy: String?
    /// The rule, for instance `ACT-3`.
    @NamedIfKnown public var rule: RuleID?
    /// The rest that is heard of an adopted client once the host is dead, in a sentence; `null` for other sessions, and without a
    /// guard.
    @OrNull public var ifHostDies: String?

    /// Makes the value from its parts.
    public init(
      session: String,
      level: Sessions.Explanation.Level,
      sentence: String,
      remedy: String?,
      rule: RuleID,
      ifHostDies: String? = nil,
    ) {
      self.session = session
      self.ifHostDies = ifHostDies
      _level = NamedIfKnown(level)
      self.sentence = sentence
      self.remedy = remedy
      _rule = NamedIfKnown(rule)
    }
  }
}

/// Hands a remote-control command to the session that is now playing, or keeps it while that one is
/// interrupted (VOL-2, INT-4).
///
/// Pure value: [any-thread].
public enum SendRemoteCommand: ControlMethod {
  /// The name on the wire.
  public static let name = "remoteCommand"

  /// The command and the session that it is for.
  public struct Params: ControlParams {
    /// The command; on the wire `command`, with `seconds` or `rate`.
    public var command: RemoteCommand
    /// The session's id, or its program's name; the session that is now playing when left out.
    public var session: String?

    /// Makes the parameters.
    public init(command: RemoteCommand, session: String? = nil) {
      self.command = command
      self.session = session
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      SessionField.named("command", RemoteCommand.Kind.self),
      .number("seconds", in: 0...31_536_000, "seconds, for seek and skips") { $0.command.seconds },
      .number("rate", in: 0...100, "times the normal speed, for rate") { $0.command.factor },
      .session,
    ]
  }

  /// When it was carried out.
  public typealias Result = Applied
}

/// Pure value: [any-thread].
extension SendRemoteCommand.Params {
  private enum CodingKeys: String, CodingKey { case session }

  /// Reads the command's keys beside the session.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    command = try CommandDetail(from: decoder).command
    session = try container.decodeIfPresent(String.self, forKey: .session)
  }

  /// Writes the command's keys beside the session.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try CommandDetail(command).encode(to: encoder)
    try container.encodeIfPresent(session, forKey: .session)
  }
}
