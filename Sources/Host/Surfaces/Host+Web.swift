// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Surfaces

#if !WITHOUT_TLS
  internal import WebCertificates
#endif

/// The start of the page in the browser.
extension Host {
  /// Serves the page.
  ///
  /// - Throws: ``SurfaceFault`` for a port in use or a faulty certificate.
  func open(
    _ page: GraphFile.Surfaces.Web,
    name: String,
  ) async throws(SurfaceFault) -> ServedSurface {
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
        web.encryption = try encryption(with: files)
      }
      let door = WebDoor(
        site: site,
        tokens: rooms.webTokens.tokens,
        hostName: name,
      )
      let server = try await WebServer.start(web, site: door)
      web.port = server.port
      let running = Task { await meters.run() }
      return ServedSurface(
        section: .web,
        statuses: [SurfaceStatus(kind: "web", port: server.port, lan: page.lan)],
        addresses: [SurfaceAddress(kind: "web", url: web.page(at: "localhost") + "/")],
        pages: page.lan ? web.pagesInNetwork : [],
        noteMachineName: { server.note(announcedName: $0) },
        presentLevels: { meters.take($0) },
        end: {
          await server.close()
          meters.end()
          await running.value
        },
      )
    } catch {
      throw SurfaceFault(error)
    }
  }

  /// The encryption with a certificate of the graph.
  private func encryption(
    with files: GraphFile.Surfaces.Certificate
  ) throws(WebServerError) -> any WebEncryption {
    #if WITHOUT_TLS
      throw WebServerError(description: "\(files.path): this build of MultiRoute has no TLS")
    #else
      try WebCertificate(path: files.path, keyPath: files.keyPath)
    #endif
  }

  /// Makes a key to the page for the user who starts the host, if the page is open to other machines.
  func addWebKey() async { rooms.surfaces.add(addresses: await webAddressesInNetwork()) }

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
