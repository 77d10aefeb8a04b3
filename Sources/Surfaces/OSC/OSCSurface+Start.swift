// SPDX-License-Identifier: MIT

package import OSC

extension OSCSurface {
  /// Opens a port, and begins to serve the tree there.
  ///
  /// - Parameters:
  ///   - configuration: The port.
  ///   - tree: The tree, used by this surface alone.
  /// - Returns: The surface, and the number of its port.
  /// - Throws: ``OSCError`` for a port that cannot be opened. [any-thread]
  package static func start(
    _ configuration: OSCServer.Configuration,
    tree: any ParameterTree,
  ) async throws(OSCError) -> (surface: OSCSurface, port: Int) {
    let inbox = OSCInbox()
    let server = try await OSCServer.start(configuration) { inbox.take($0) }
    let surface = OSCSurface(tree: tree, inbox: inbox, transport: server)
    await surface.begin()
    return (surface, server.port)
  }
}
