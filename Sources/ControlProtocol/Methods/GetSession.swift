// SPDX-License-Identifier: MIT

/// Tells everything about one session, read at one moment (SES-5).
public enum GetSession: ControlMethod {
  /// The name on the wire.
  public static let name = "session"

  /// Which one.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// All of it.
  public typealias Result = SessionDetail
}
