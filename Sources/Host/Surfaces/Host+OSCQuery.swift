// SPDX-License-Identifier: MIT

public import ControlProtocol
internal import GraphFiles
internal import Surfaces

/// The start of OSCQuery.
extension Host {
  /// The addresses of surfaces for browsers and apps.
  ///
  /// Those with a token are for the user alone: an app that knows a token has the user's rights over the mix.
  public func surfaceAddresses() -> [SurfaceAddress] { rooms.surfaces.addresses }

  /// Serves OSCQuery, and OSC at the same number over UDP where the graph has no port for it (OQ-4).
  ///
  /// A port for OSC that is in use is reported, and OSCQuery is served without it.
  func open(
    _ oscquery: GraphFile.Surfaces.OSCQuery,
    of graph: GraphFile,
  ) async throws(SurfaceFault) -> ServedSurface {
    let tree = rooms.surfaces.tree(of: self, as: "oscquery")
    let surface = OSCQuerySurface(tree: tree, host: OSCQueryHostInfo(name: graph.name))
    var web = WebServer.Configuration(port: oscquery.port, lan: oscquery.lan)
    web.token = rooms.surfaces.queryToken
    let server: WebServer
    do throws(WebServerError) {
      server = try await WebServer.start(web, site: surface)
    } catch {
      await tree.close()
      throw SurfaceFault(error)
    }
    web.port = server.port
    let running = Task { await surface.run() }
    var served = ServedSurface(
      section: .oscquery,
      statuses: [SurfaceStatus(kind: "oscquery", port: server.port, lan: oscquery.lan)],
      noteMachineName: { server.note(announcedName: $0) },
      noteOSC: { osc in
        await surface.change(
          to: OSCQueryHostInfo(name: graph.name, oscPort: osc?.port, oscLAN: osc?.lan == true)
        )
      },
    )
    if oscquery.lan {
      served.addresses = web.addressesInNetwork.map {
        SurfaceAddress(kind: "oscquery", url: $0, hasToken: true)
      }
    }
    let osc = graph.surfaces.osc == nil ? await openUDP(port: server.port) : nil
    if let osc { served.statuses = osc.statuses + served.statuses }
    served.end = {
      await server.close()
      await tree.close()
      await running.value
      await osc?.end()
    }
    await served.noteOSC(
      osc?.statuses.first { $0.fault == nil } ?? rooms.surfaces.surface(of: "osc")
    )
    return served
  }

  /// Serves OSC for the programs of this machine, without TCP; a port in use is reported.
  private func openUDP(port: Int) async -> ServedSurface {
    var osc = GraphFile.Surfaces.OSC()
    (osc.port, osc.tcp) = (port, false)
    do throws(SurfaceFault) {
      return try await open(osc)
    } catch {
      rooms.control.publish(.error(), "osc: \(error)")
      let status = SurfaceStatus(kind: "osc", port: port, lan: false, fault: error.description)
      return ServedSurface(section: .osc, statuses: [status])
    }
  }
}
