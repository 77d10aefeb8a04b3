// SPDX-License-Identifier: MIT

/// Answers whether a program may record, or takes an answer back (PRM-1).
public enum SetPermission: ControlMethod {
  /// The name on the wire.
  public static let name = "setPermission"
  /// What the program may from now on.
  public typealias Result = ListPermissions.Program

  /// The answer.
  public struct Params: ControlParams {
    /// The program: the name or path of its executable, or its JACK client's name.
    public var program: String
    /// What it may; `undetermined` takes the answer back.
    public var permission: PermissionAnswer

    /// Makes the parameters.
    public init(program: String, permission: PermissionAnswer) {
      self.program = program
      self.permission = permission
    }

    /// Every parameter with what it may be.
    public static let fields: [ParamField<Params>] = [
      SessionField.text("program", "a program's name or path", limit: 4_096) { $0.program },
      ParamField(
        "permission",
        allowed: "one of " + PermissionAnswer.allCases.map(\.rawValue).joined(separator: ", "),
      ),
    ]
  }
}
