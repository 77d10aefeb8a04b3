// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Surfaces

/// The surfaces inside the host, each with a connection of its own to the tree of parameters.
///
/// Belongs to the control thread.
final class SurfaceRoom {
  private struct Surface {
    let stream: AsyncStream<TreeNews>.Continuation
    let role: ClientRole
    let kind: String?
    /// The reason for which it is not told of changes; nil while it is.
    var watchFault: String?
  }

  private var surfaces: [ConnectionID: Surface] = [:]
  private var latestNotice = ""
  private var lastID = UInt64.max
  private var ends: [() async -> Void] = []
  private var served: [SurfaceStatus] = []
  private var opened: [SurfaceAddress] = []
  private var noteMachineName: [(String?) -> Void] = []
  private var presentLevels: (Meters) -> Void = { _ in }

  /// The addresses of surfaces for browsers and apps.
  var addresses: [SurfaceAddress] { opened }

  /// The surfaces that are served, and those that could not be.
  var statuses: [SurfaceStatus] {
    served.map { status in
      var status = status
      status.fault =
        status.fault ?? surfaces.values.first { $0.kind == status.kind }.flatMap(\.watchFault)
      return status
    }
  }

  /// The surface of a kind; nil where none is served.
  func surface(of kind: String) -> SurfaceStatus? {
    served.first { $0.kind == kind && $0.fault == nil }
  }

  /// Notes the name under which other machines find the surfaces of some kinds by mDNS; nil while they cannot.
  func note(announced name: String?, of kinds: Set<String>) {
    for index in served.indices where kinds.contains(served[index].kind) {
      served[index].announced = name
    }
  }

  /// Has the name of this machine in mDNS passed to a server; nil where it has none any more.
  func joinNames(_ note: @escaping (String?) -> Void) { noteMachineName.append(note) }

  /// Passes the name of this machine in mDNS on.
  func note(machineName name: String?) { for note in noteMachineName { note(name) } }

  /// Keeps a surface that serves a port until the host ends.
  ///
  /// - Parameters:
  ///   - status: The port.
  ///   - addresses: Its addresses for browsers and apps.
  ///   - end: Ends the surface.
  func serve(
    _ status: SurfaceStatus,
    addresses: [SurfaceAddress] = [],
    end: @escaping () async -> Void = {},
  ) {
    served.append(status)
    opened += addresses
    ends.append(end)
  }

  /// Has levels passed to pages in browsers.
  func joinPages(_ presentLevels: @escaping (Meters) -> Void) { self.presentLevels = presentLevels }

  /// Joins a surface to the tree of a host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - kind: The kind, under which the host tells that the surface cannot watch; nil for one that tells it itself.
  ///   - role: `user` for a surface in the user's hands, such as a controller. Packets of a network have no sender that can be
  ///     trusted: such a surface is an app, and does not set what its user decides (PRM-2).
  /// - Returns: The surface's connection to the tree.
  func tree(of host: Host, as kind: String? = nil, role: ClientRole = .app) -> HostTree {
    // The socket counts its connections from below.
    let connection = ConnectionID(rawValue: lastID)
    lastID -= 1
    let (news, stream) = AsyncStream.makeStream(of: TreeNews.self)
    surfaces[connection] = Surface(stream: stream, role: role, kind: kind)
    return HostTree(host: host, connection: connection, news: news)
  }

  /// Passes changed parameters to a surface.
  ///
  /// - Returns: Whether the connection is a surface's.
  func present(_ changes: ParameterChanges, to connection: ConnectionID) -> Bool {
    guard let surface = surfaces[connection] else { return false }
    surface.stream.yield(.parameters(changes))
    return true
  }

  /// Notes whether a surface is told of changes.
  ///
  /// - Parameters:
  ///   - fault: The reason for which it is not; nil for one that is.
  ///   - connection: The surface.
  /// - Returns: The sentence to report; nil if nothing is new.
  func note(watchFault fault: String?, of connection: ConnectionID) -> String? {
    guard let surface = surfaces[connection], surface.watchFault != fault else { return nil }
    surfaces[connection]?.watchFault = fault
    guard let fault, let kind = surface.kind else { return nil }
    return "\(kind): changes are not shown there: \(fault)"
  }

  /// Passes an event to all surfaces.
  func present(_ event: ControlEvent) {
    if event.kind.map(Self.noticed.contains) == true { latestNotice = event.message }
    for surface in surfaces.values { surface.stream.yield(.event(event)) }
  }

  /// Passes levels to pages in browsers.
  func present(_ meters: Meters) { presentLevels(meters) }

  /// The kinds of events that a display shows: something is late, lost or at fault.
  private static let noticed: Set<EventKind> = [
    .serverLost, .serverBack, .xrun, .gaveWay, .routeAvailable, .routeUnavailable, .inputFault,
    .alarm,
    .nodeGone, .nodeLate, .nodeFault, .error,
  ]

  /// The latest event that a display shows, in a sentence; empty before the first.
  var notice: String { latestNotice }

  /// The role of a surface; nil for a connection that is none.
  func role(of connection: ConnectionID) -> ClientRole? { surfaces[connection]?.role }

  /// Forgets a surface that has left.
  func close(_ connection: ConnectionID) {
    surfaces.removeValue(forKey: connection)?.stream.finish()
  }

  /// Has something end with the surfaces.
  func atEnd(_ end: @escaping () async -> Void) { ends.append(end) }

  /// Ends all surfaces with the host.
  func end() async {
    for end in ends { await end() }
    ends = []
    for surface in surfaces.values { surface.stream.finish() }
    surfaces = [:]
  }
}
