// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles

/// The roles of the control socket's clients: apps do not set policy (PRM-2).
///
/// An app is a process that says so, that has opened a session, or whose JACK client has a capture gate. It stays one on all its
/// connections until it ends. The host's own program is the user's tool, and no app.
///
/// Belongs to the control thread.
final class RoleRoom {
  /// The questions to other rooms.
  struct Links {
    /// Whether a process runs the host's own program.
    var isOwnProgram: (_ process: Int32) -> Bool
    /// Whether a JACK client of a process has a capture gate.
    var isCapturing: (_ process: Int32) -> Bool
    /// When a process was started; nil for one that has ended.
    var startTicks: (_ process: Int32) -> UInt64?
    /// The owner of a session in the protocol; nil without a session of that name.
    var owner: (_ session: String) -> HeldSession.Owner?
    /// The owners of a program's sessions.
    var owners: (_ app: String) -> [HeldSession.Owner]
    /// Whether a process runs the program that a shell starts by a name.
    var isProgram: (_ process: Int32, _ name: String) -> Bool
    /// The role of a surface inside the host; nil for a connection of the socket.
    var surfaceRole: (_ connection: ConnectionID) -> ClientRole? = { _ in nil }
  }

  /// The number of processes after which those that have ended are forgotten.
  private static let processLimit = 256

  private let inForce: GraphRoom
  private let links: Links
  /// The start of each process that is an app; ids are used again.
  private var apps: [Int32: UInt64] = [:]
  /// The connections of apps whose processes are not known.
  private var namelessApps: Set<ConnectionID> = []
  /// The connections that have said that they are a user's.
  private var users: Set<ConnectionID> = []

  /// Knows no clients yet.
  ///
  /// - Parameters:
  ///   - graph: The graph: whether it lets apps do everything, and whether the route picker of an app counts as its
  ///     user's.
  ///   - links: The questions to other rooms.
  init(graph: GraphRoom, links: Links) {
    inForce = graph
    self.links = links
  }

  // MARK: - Who is who

  /// Takes the role that a connection asks for, and returns the one that it has.
  func hello(_ role: ClientRole?, from connection: ConnectionID) -> ClientRole {
    switch role {
    case .app: noteApp(connection)
    case .user: users.insert(connection)
    case nil: break
    }
    return isApp(connection) ? .app : .user
  }

  /// Notes that a connection has opened a session.
  func noteApp(_ connection: ConnectionID) {
    guard let process = connection.processID, let start = links.startTicks(process) else {
      namelessApps.insert(connection)
      return
    }
    if apps.count >= Self.processLimit {
      apps = apps.filter { links.startTicks($0.key) == $0.value }
    }
    apps[process] = start
  }

  /// Forgets a connection that has ended; its process stays what it is.
  func connectionClosed(_ connection: ConnectionID) {
    namelessApps.remove(connection)
    users.remove(connection)
  }

  private func isApp(_ connection: ConnectionID) -> Bool {
    if let role = grantedRole(of: connection) { return role == .app }
    guard let process = connection.processID else { return namelessApps.contains(connection) }
    if links.isOwnProgram(process) { return false }
    if let start = apps[process], links.startTicks(process) == start { return true }
    return namelessApps.contains(connection) || links.isCapturing(process)
  }

  /// The role of a surface, which the host has given it.
  private func grantedRole(of connection: ConnectionID) -> ClientRole? {
    connection.grantedRole ?? links.surfaceRole(connection)
  }

  private func isUsersTool(_ connection: ConnectionID) -> Bool {
    if let role = connection.grantedRole { return role == .user }
    if let process = connection.processID, links.isOwnProgram(process) { return true }
    return users.contains(connection) && !isApp(connection)
  }

  // MARK: - Requests

  /// Refuses a request that is not for this connection.
  ///
  /// - Throws: `refused` with the place, the fault and what is allowed.
  func check(_ request: ControlRequest, from connection: ConnectionID) throws(ControlError) {
    try check(request.access, of: request.method.name, from: connection)
  }

  /// Refuses the use of something by a connection that is not among its clients.
  ///
  /// - Parameters:
  ///   - access: The clients that may use it.
  ///   - name: The method, or the path of the parameter.
  ///   - connection: The connection.
  /// - Throws: `refused` with the place, the fault and what is allowed.
  func check(
    _ access: MethodAccess,
    of name: String,
    from connection: ConnectionID,
  ) throws(ControlError) {
    guard !inForce.file.tower.letsAppsChangePolicy else { return }
    switch access {
    case .everybody: return
    case .users:
      guard isApp(connection) else { return }
      throw .notForApps(name, "an app's connection does not change what its user decides")
    case .routePicker(let session):
      guard inForce.file.tower.letsAppsChooseRoutes || !isApp(connection) else {
        throw .notForApps(name, "the graph leaves the choice of routes to its user")
      }
      try check(.session(session), of: name, from: connection)
    case .session(let session):
      guard isApp(connection), let owner = links.owner(session),
        !owner.isProcess(of: connection)
      else { return }
      throw .notForApps("session", "'\(session)' is not a session of this app")
    case .app(let app):
      guard isApp(connection),
        !links.owners(app).contains(where: { $0.isProcess(of: connection) })
      else { return }
      throw .notForApps("app", "'\(app)' is not this app")
    case .priorityClass(let app):
      guard !isUsersTool(connection) else { return }
      if let process = connection.processID, links.isProgram(process, app) { return }
      throw .notForApps(
        "priorityClass",
        "a class above 'app' is for users' tools, and '\(app)' is not the program of this connection",
      )
    }
  }
}

extension ControlError {
  /// The refusal of a request that is for users' tools only (PRM-2).
  fileprivate static func notForApps(_ place: String, _ fault: String) -> ControlError {
    ControlError(
      .refused,
      place: place,
      fault: "\(fault) (PRM-2)",
      allowed:
        "its own sessions; the command line 'multiroute', a tool that says hello with the role 'user' and opens "
        + "no sessions, or 'tower: {appsMayChangePolicy: true}' in the graph",
    )
  }
}
