// SPDX-License-Identifier: MIT

/// Asks whether a session's program may record, and the user where nobody has answered (PRM-1).
///
/// Answered at once. Where the answer is `undetermined` the user is asked, and the event `session` with
/// `recordPermissionChanged` tells the answer.
public enum RequestPermission: ControlMethod {
  /// The name on the wire.
  public static let name = "requestPermission"

  /// Whose.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// What it may now.
  public struct Result: Codable, Sendable, Hashable {
    /// What it may.
    public var permission: PermissionAnswer

    /// Makes the result.
    public init(permission: PermissionAnswer) { self.permission = permission }
  }
}
