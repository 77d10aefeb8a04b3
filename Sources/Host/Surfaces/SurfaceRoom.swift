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
  }

  private var surfaces: [ConnectionID: Surface] = [:]
  private var latestNotice = ""
  private var lastID = UInt64.max
  private var ends: [() async -> Void] = []
  private var served: [SurfaceStatus] = []
  private var opened: [SurfaceAddress] = []
  private var presentLevels: (Meters) -> Void = { _ in }

  /// The addresses of surfaces for browsers and apps.
  var addresses: [SurfaceAddress] { opened }

  /// The surfaces that are served, and those that could not be.
  var statuses: [SurfaceStatus] { served }

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
  ///   - role: `user` for a surface in the user's hands, such as a controller. Packets of a network have no sender that can be
  ///     trusted: such a surface is an app, and does not set what its user decides (PRM-2).
  /// - Returns: The surface's connection to the tree.
  func tree(of host: Host, role: ClientRole = .app) -> HostTree {
    // The socket counts its connections from below.
    let connection = ConnectionID(rawValue: lastID)
    lastID -= 1
    let (news, stream) = AsyncStream.makeStream(of: TreeNews.self)
    surfaces[connection] = Surface(stream: stream, role: role)
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

  /// Ends all surfaces with the host.
  func end() async {
    for end in ends { await end() }
    ends = []
    for surface in surfaces.values { surface.stream.finish() }
    surfaces = [:]
  }
}
