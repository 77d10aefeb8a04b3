// SPDX-License-Identifier: MIT

/// Makes a session active, or says by which rule it cannot be (ACT-1).
public enum ActivateSession: ControlMethod {
  /// The name on the wire.
  public static let name = "activateSession"

  /// Which one.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// When others begin to fall silent or to be lowered, and the session to be heard.
  public typealias Result = Applied
}
