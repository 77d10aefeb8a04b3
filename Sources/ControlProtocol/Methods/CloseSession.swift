// SPDX-License-Identifier: MIT

/// Ends a session; those it interrupted may resume.
public enum CloseSession: ControlMethod {
  /// The name on the wire.
  public static let name = "closeSession"

  /// Which one.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// When it falls silent and others come back.
  public typealias Result = Applied
}
