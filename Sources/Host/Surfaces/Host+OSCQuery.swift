// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Surfaces

/// The start of OSCQuery.
extension Host {
  /// The addresses of surfaces for browsers and apps.
  ///
  /// Those with a token are for the user alone: an app that knows a token has the user's rights over the mix.
  public func surfaceAddresses() -> [SurfaceAddress] { rooms.surfaces.addresses }

  /// Serves OSCQuery; a port in use is reported, and the host plays on.
  func serve(_ oscquery: GraphFile.Surfaces.OSCQuery) async {
    let graph = rooms.graph
    var status = SurfaceStatus(kind: "oscquery", port: oscquery.port, lan: oscquery.lan)
    let tree = rooms.surfaces.tree(of: self, as: status.kind)
    let surface = OSCQuerySurface(tree: tree, host: OSCQueryHostInfo(name: graph.name))
    var web = WebServer.Configuration(port: oscquery.port, lan: oscquery.lan)
    do throws(WebServerError) {
      let server = try await WebServer.start(web, site: surface)
      (status.port, web.port) = (server.port, server.port)
      rooms.surfaces.joinNames { server.note(announcedName: $0) }
      // A client that is told of no port for OSC takes that of HTTP (OQ-4).
      if graph.surfaces.osc == nil { await start(.udp(port: server.port)) }
      let osc = rooms.surfaces.surface(of: "osc")
      await surface.change(
        to: OSCQueryHostInfo(name: graph.name, oscPort: osc?.port, oscLAN: osc?.lan == true)
      )
      let running = Task { await surface.run() }
      let addresses =
        oscquery.lan
        ? web.addressesInNetwork.map { SurfaceAddress(kind: "oscquery", url: $0, hasToken: true) }
        : []
      rooms.surfaces.serve(status, addresses: addresses) {
        await server.close()
        await tree.close()
        await running.value
      }
    } catch {
      status.fault = error.description
      await tree.close()
      rooms.surfaces.serve(status)
      rooms.control.publish(.error(), "oscquery: \(error)")
    }
  }
}

extension GraphFile.Surfaces.OSC {
  /// A port for the programs of this machine, without TCP.
  fileprivate static func udp(port: Int) -> Self {
    var osc = Self()
    (osc.port, osc.tcp) = (port, false)
    return osc
  }
}
