// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import ServiceDiscovery
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
  /// The surfaces that serve a port, and those that could not open it.
  private var served: [ServedSurface] = []
  private let token = WebToken()
  private var keyAddresses: [SurfaceAddress] = []
  private var announcer: ServiceAnnouncer?
  private var machineName: String?

  private var mackie: MackieSurface?

  /// The key to OSCQuery for other machines, the same for all versions of the graph.
  var queryToken: WebToken { token }

  /// The Mackie Control; nil for none.
  var desk: MackieSurface? { mackie }

  /// The addresses of surfaces for browsers and apps.
  var addresses: [SurfaceAddress] { served.flatMap(\.addresses) + keyAddresses }

  /// The surfaces that are served, and those that could not be.
  var statuses: [SurfaceStatus] {
    served.flatMap(\.statuses).map { status in
      var status = status
      status.fault =
        status.fault ?? surfaces.values.first { $0.kind == status.kind }.flatMap(\.watchFault)
      return status
    }
  }

  /// The surface of a kind; nil where none is served.
  func surface(of kind: String) -> SurfaceStatus? {
    served.flatMap(\.statuses).first { $0.kind == kind && $0.fault == nil }
  }

  // MARK: - Ports

  /// Keeps a surface that serves a port, until its end.
  func serve(_ surface: ServedSurface) {
    served.append(surface)
    surface.noteMachineName(machineName)
  }

  /// The numbers of a surface's ports; none where it is not served.
  func ports(of section: GraphChange.Surface) -> Set<Int> {
    let statuses = served.filter { $0.section == section }.flatMap(\.statuses)
    return Set(statuses.filter { $0.fault == nil }.map(\.port))
  }

  /// Ends a surface that serves a port; without one it does nothing.
  func end(_ section: GraphChange.Surface) async {
    let gone = served.filter { $0.section == section }
    served.removeAll { $0.section == section }
    for surface in gone { await surface.end() }
  }

  /// Tells surfaces of the port for OSC.
  func tellOSC() async {
    let osc = surface(of: "osc")
    for surface in served { await surface.noteOSC(osc) }
  }

  /// Adds addresses with a key, for the user who starts the host.
  func add(addresses: [SurfaceAddress]) { keyAddresses += addresses }

  /// Uses another Mackie Control; nil for none.
  func take(desk: MackieSurface?) { mackie = desk }

  // MARK: - mDNS

  /// Announces by another announcer, and ends the one before; nil for none.
  func take(_ announcer: ServiceAnnouncer?) {
    self.announcer?.end()
    self.announcer = announcer
    note(announced: nil, of: Set(served.flatMap(\.statuses).map(\.kind)))
  }

  /// Whether an announcer is the present one.
  func isAnnounced(by announcer: ServiceAnnouncer) -> Bool { self.announcer === announcer }

  /// Notes the name under which other machines find the surfaces of some kinds by mDNS; nil while they cannot.
  func note(announced name: String?, of kinds: Set<String>) {
    for index in served.indices {
      for place in served[index].statuses.indices
      where kinds.contains(served[index].statuses[place].kind) {
        served[index].statuses[place].announced = name
      }
    }
  }

  /// Passes the name of this machine in mDNS on; nil where it has none any more.
  func note(machineName name: String?) {
    machineName = name
    for surface in served { surface.noteMachineName(name) }
  }

  // MARK: - The tree

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
  func present(_ meters: Meters) { for surface in served { surface.presentLevels(meters) } }

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
    for surface in served { await surface.end() }
    served = []
    // The daemon may hang, and must not hold up the end of the host.
    announcer?.end()
    announcer = nil
    for surface in surfaces.values { surface.stream.finish() }
    surfaces = [:]
  }
}
