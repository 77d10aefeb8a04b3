// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Surfaces

/// The start of the page in the browser.
extension Host {
  /// Serves the page; a port in use is reported, and the host plays on.
  func serve(_ page: GraphFile.Surfaces.Web) async {
    var status = SurfaceStatus(kind: "web", port: page.port, lan: page.lan)
    let web = WebServer.Configuration(port: page.port, lan: page.lan)
    let meters = LiveMeters()
    let site = WebPageSite { [self] request, link in
      // The server has let in nobody who has not the user's rights.
      let guest = ControlGuest(address: request.peer, role: .user)
      return LiveSession(host: self, link: link, guest: guest, meters: meters)
    }
    do throws(WebServerError) {
      let server = try await WebServer.start(web, site: site)
      rooms.surfaces.joinPages { meters.take($0) }
      let running = Task { await meters.run() }
      let here = SurfaceAddress(kind: "web", url: "http://localhost:\(server.port)/")
      let elsewhere =
        page.lan
        ? web.addressesInNetwork.map { SurfaceAddress(kind: "web", url: $0, hasToken: true) } : []
      rooms.surfaces.serve(status, addresses: [here] + elsewhere) {
        await server.close()
        meters.end()
        await running.value
      }
    } catch {
      status.fault = error.description
      rooms.surfaces.serve(status)
      rooms.control.publish(.error(), "web: \(error)")
    }
  }
}
