// SPDX-License-Identifier: MIT

/// Lists what programs may record (PRM-1).
public enum ListPermissions: ControlMethod {
  /// The name on the wire.
  public static let name = "listPermissions"
  /// Nothing to say.
  public typealias Params = NoParams

  /// All programs that there is something to say of.
  public struct Result: Codable, Sendable, Hashable {
    /// What programs without an answer may.
    public var defaultPermission: PermissionAnswer
    /// The programs, by name.
    public var programs: [Program]

    /// Makes the result.
    public init(defaultPermission: PermissionAnswer, programs: [Program]) {
      self.defaultPermission = defaultPermission
      self.programs = programs
    }
  }

  /// Who has given an answer.
  public enum Source: String, Codable, Sendable {
    /// A user.
    case user
    /// The graph file.
    case graph
    /// Nobody.
    case standard = "default"
  }

  /// What one program may.
  public struct Program: Codable, Sendable, Hashable {
    /// The program: the name of its executable or its path, else of its client or session.
    public var program: String
    /// The path of its executable, `null` while it is not known.
    @OrNull public var executable: String?
    /// What it may.
    public var permission: PermissionAnswer
    /// Who says so.
    public var source: Source
    /// The JACK clients that hear captures through a gate now.
    public var clients: [String]

    /// Makes the value from its parts.
    public init(
      program: String,
      executable: String?,
      permission: PermissionAnswer,
      source: Source,
      clients: [String],
    ) {
      self.program = program
      self.executable = executable
      self.permission = permission
      self.source = source
      self.clients = clients
    }
  }
}
