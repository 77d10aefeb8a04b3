// SPDX-License-Identifier: MIT

/// Says why an app is heard, low or silent, and what would change it.
public enum Why: ControlMethod {
  /// The name on the wire.
  public static let name = "why"

  /// Whom to explain.
  public struct Params: ControlParams {
    /// The program's name, or a session's id.
    public var app: String

    /// Makes the parameters.
    public init(app: String) { self.app = app }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      SessionField.text("app", "a program's name or a session's id") { $0.app }
    ]
  }

  /// The app's sessions.
  public struct Result: Codable, Sendable, Hashable {
    /// One explanation for each.
    public var sessions: [Explanation]

    /// Makes the result.
    public init(sessions: [Explanation]) { self.sessions = sessions }
  }

  /// Why one session sounds as it does.
  public struct Explanation: Codable, Sendable, Hashable {
    /// The session's id.
    public var session: String
    /// `full`, `low` or `silent`.
    public var level: String
    /// The reason, in a sentence.
    public var sentence: String
    /// What would change it, in a sentence; `null` when nothing has to.
    @OrNull public var remedy: String?
    /// The rule, for instance `ACT-3`.
    public var rule: String

    /// Makes the value from its parts.
    public init(session: String, level: String, sentence: String, remedy: String?, rule: String) {
      self.session = session
      self.level = level
      self.sentence = sentence
      self.remedy = remedy
      self.rule = rule
    }
  }
}
