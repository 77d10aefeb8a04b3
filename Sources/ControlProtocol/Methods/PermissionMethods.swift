// SPDX-License-Identifier: MIT

public import Sessions

/// Lists what programs may record (PRM-1).
///
/// Pure value: [any-thread].
public enum ListPermissions: ControlMethod {
  /// The name on the wire.
  public static let name = "listPermissions"
  /// The empty parameters.
  public typealias Params = NoParams

  /// All programs that there is something to say of.
  public struct Result: Codable, Sendable, Hashable {
    /// The permission of programs without an answer.
    @NamedIfKnown public var defaultPermission: RecordPermission?
    /// The programs, by name.
    public var programs: [Program]

    /// Makes the result.
    public init(defaultPermission: RecordPermission, programs: [Program]) {
      _defaultPermission = NamedIfKnown(defaultPermission)
      self.programs = programs
    }
  }

  /// The source of a permission.
  public enum Source: String, WireNamed, CaseIterable {
    /// A user.
    case user
    /// The graph file.
    case graph
    /// The default, without an answer.
    case standard = "default"
  }

  /// The permission of one program.
  public struct Program: Codable, Sendable, Hashable {
    /// The program: the name of its executable or its path, else of its client or session.
    public var program: String
    /// The path of its executable, `null` if unknown.
    @OrNull public var executable: String?
    /// Its permission.
    @NamedIfKnown public var permission: RecordPermission?
    /// The source of the permission.
    @NamedIfKnown public var source: Source?
    /// The JACK clients that hear captures through a gate now.
    public var clients: [String]

    /// Makes the value from its parts.
    public init(
      program: String,
      executable: String?,
      permission: RecordPermission,
      source: Source,
      clients: [String],
    ) {
      self.program = program
      self.executable = executable
      _permission = NamedIfKnown(permission)
      _source = NamedIfKnown(source)
      self.clients = clients
    }
  }
}

/// Answers whether a program may record, or takes an answer back (PRM-1).
///
/// Pure value: [any-thread].
public enum SetPermission: ControlMethod {
  /// The name on the wire.
  public static let name = "setPermission"

  /// A program cannot answer for its user (PRM-2).
  public static func access(of params: Params) -> MethodAccess { .users }
  /// The program's new permission.
  public typealias Result = ListPermissions.Program

  /// The answer.
  public struct Params: ControlParams {
    /// The program: the name or path of its executable, or its JACK client's name.
    public var program: String
    /// The answer; `undetermined` withdraws an earlier one.
    @Named public var permission: RecordPermission

    /// Makes the parameters.
    public init(program: String, permission: RecordPermission) {
      self.program = program
      self.permission = permission
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      SessionField.text("program", "a program's name or path", limit: 4_096) { $0.program },
      SessionField.named("permission", RecordPermission.self),
    ]
  }
}

/// Asks whether a session's program may record; asks the user if there is no answer (PRM-1).
///
/// The reply comes at once. If it is `undetermined`, the user is asked, and the event `session` with
/// `recordPermissionChanged` reports the answer.
///
/// Pure value: [any-thread].
public enum RequestPermission: ControlMethod {
  /// The name on the wire.
  public static let name = "requestPermission"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The session's id.
    public var session: String

    /// Makes the parameters.
    public init(session: String) { self.session = session }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [.session]
  }

  /// The present permission.
  public struct Result: Codable, Sendable, Hashable {
    /// The present permission.
    @NamedIfKnown public var permission: RecordPermission?

    /// Makes the result.
    public init(permission: RecordPermission) { _permission = NamedIfKnown(permission) }
  }
}
