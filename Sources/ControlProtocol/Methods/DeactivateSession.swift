// SPDX-License-Identifier: MIT

/// Makes a session inactive; those it interrupted are told that it is over (ACT-6).
public enum DeactivateSession: ControlMethod {
  /// The name on the wire.
  public static let name = "deactivateSession"

  /// Which one, and how.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String
    /// Whether those it interrupted should resume by themselves; false when left out.
    public var notifyOthers: Bool?

    /// Makes the parameters.
    public init(session: String, notifyOthers: Bool? = nil) {
      self.session = session
      self.notifyOthers = notifyOthers
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      .session, ParamField("notifyOthers", allowed: "true or false; false when left out"),
    ]
  }

  /// When it falls silent and others come back.
  public typealias Result = Applied
}
