// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Surfaces

/// The surfaces inside the host, each with a connection of its own to the tree of parameters.
///
/// Belongs to the control thread.
final class SurfaceRoom {
  private var streams: [ConnectionID: AsyncStream<TreeNews>.Continuation] = [:]
  private var lastID = UInt64.max
  private var ends: [() async -> Void] = []
  private var served: [SurfaceStatus] = []

  /// The surfaces that are served, and those that could not be.
  var statuses: [SurfaceStatus] { served }

  /// Keeps a surface that serves a port until the host ends.
  ///
  /// - Parameters:
  ///   - status: The port.
  ///   - end: Ends the surface.
  func serve(_ status: SurfaceStatus, end: @escaping () async -> Void = {}) {
    served.append(status)
    ends.append(end)
  }

  /// Joins a surface to the tree of a host.
  func tree(of host: Host) -> HostTree {
    // The socket counts its connections from below.
    let connection = ConnectionID(rawValue: lastID)
    lastID -= 1
    let (news, stream) = AsyncStream.makeStream(of: TreeNews.self)
    streams[connection] = stream
    return HostTree(host: host, connection: connection, news: news)
  }

  /// Passes changed parameters to a surface.
  ///
  /// - Returns: Whether the connection is a surface's.
  func present(_ changes: ParameterChanges, to connection: ConnectionID) -> Bool {
    guard let stream = streams[connection] else { return false }
    stream.yield(.parameters(changes))
    return true
  }

  /// Passes an event to all surfaces.
  func present(_ event: ControlEvent) {
    for stream in streams.values { stream.yield(.event(event)) }
  }

  /// Forgets a surface that has left.
  func close(_ connection: ConnectionID) { streams.removeValue(forKey: connection)?.finish() }

  /// Ends all surfaces with the host.
  func end() async {
    for end in ends { await end() }
    ends = []
    for stream in streams.values { stream.finish() }
    streams = [:]
  }
}
