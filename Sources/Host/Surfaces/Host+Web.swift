// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Surfaces

/// The start of the page in the browser.
extension Host {
  /// Serves the page; a port in use or a faulty certificate is reported, and the host plays on.
  func serve(_ page: GraphFile.Surfaces.Web) async {
    var status = SurfaceStatus(kind: "web", port: page.port, lan: page.lan)
    let meters = LiveMeters()
    let site = WebPageSite { [self] request, link in
      guard let visitor = request.visitor else { return nil }
      let role: ClientRole = visitor.rights.role == .all ? .user : .app
      let guest = ControlGuest(address: request.peer, role: role)
      return LiveSession(
        host: self,
        link: link,
        guest: guest,
        rights: visitor.rights,
        meters: meters,
      )
    }
    do throws(WebServerError) {
      var web = WebServer.Configuration(port: page.port, lan: page.lan)
      web.tokens = rooms.webTokens.tokens
      if let files = page.certificate {
        web.certificate = try WebCertificate(path: files.path, keyPath: files.keyPath)
      }
      let door = WebDoor(
        site: site,
        tokens: rooms.webTokens.tokens,
        hostName: configuration.graph.name,
      )
      let server = try await WebServer.start(web, site: door)
      (status.port, web.port) = (server.port, server.port)
      rooms.surfaces.joinNames { server.note(announcedName: $0) }
      if page.lan { rooms.webTokens.opened(web.pagesInNetwork) }
      rooms.surfaces.joinPages { meters.take($0) }
      let running = Task { await meters.run() }
      let here = SurfaceAddress(kind: "web", url: web.page(at: "localhost") + "/")
      let addresses = await [here] + webAddressesInNetwork()
      rooms.surfaces.serve(status, addresses: addresses) {
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

  /// The page's addresses with a key, for the user who starts the host; none while the page is for this machine alone.
  private func webAddressesInNetwork() async -> [SurfaceAddress] {
    guard rooms.webTokens.isOpen else { return [] }
    do throws(ControlError) {
      let made = try await rooms.webTokens.make(.init(label: "printed at the start"))
      return made.addresses.map { SurfaceAddress(kind: "web", url: $0, hasToken: true) }
    } catch {
      rooms.control.publish(.error(), "web: \(error.message)")
      return []
    }
  }
}
