// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import OSC
internal import Surfaces

/// The start of the surfaces of the graph.
extension Host {
  /// Starts them; one whose port is in use is reported, and the host plays on.
  func startSurfaces() async {
    startMackie()
    for section in GraphFile.Surfaces.serving { await serve(section) }
    await addWebKey()
    announceSurfaces()
  }

  /// Serves a surface of the graph in force; one whose port is in use is reported, and the host plays on.
  func serve(_ section: GraphChange.Surface) async {
    do throws(SurfaceFault) {
      if let surface = try await open(section, of: rooms.graph) { take(surface) }
    } catch {
      guard var status = rooms.graph.surfaces.status(of: section) else { return }
      status.fault = error.description
      take(ServedSurface(section: section, statuses: [status]))
      rooms.control.publish(.error(), "\(status.kind): \(error)")
    }
  }

  /// Uses a surface that is open.
  func take(_ surface: ServedSurface) {
    rooms.surfaces.serve(surface)
    if surface.section == .web { rooms.webTokens.opened(surface.pages) }
  }

  /// Opens the port of a surface, and serves it.
  ///
  /// - Parameters:
  ///   - section: The section of the graph.
  ///   - graph: The graph.
  /// - Returns: The surface; nil where the graph does not ask for it.
  /// - Throws: ``SurfaceFault`` for a port that cannot be opened, or a faulty certificate.
  func open(
    _ section: GraphChange.Surface,
    of graph: GraphFile,
  ) async throws(SurfaceFault) -> ServedSurface? {
    let surfaces = graph.surfaces
    switch section {
    case .osc:
      guard let osc = surfaces.osc else { return nil }
      return try await open(osc)
    case .xair:
      guard let xair = surfaces.xair else { return nil }
      return try await open(xair, name: graph.name)
    case .oscquery:
      guard let oscquery = surfaces.oscquery else { return nil }
      return try await open(oscquery, of: graph)
    case .web:
      guard let page = surfaces.web else { return nil }
      return try await open(page, name: graph.name)
    case .mackie: return nil
    }
  }

  /// Serves OSC.
  func open(_ osc: GraphFile.Surfaces.OSC) async throws(SurfaceFault) -> ServedSurface {
    let tree = rooms.surfaces.tree(of: self, as: "osc")
    let port = OSCServer.Configuration(port: osc.port, tcp: osc.tcp, lan: osc.lan)
    do throws(OSCError) {
      let (surface, number) = try await OSCSurface.start(port, tree: tree)
      return ServedSurface(
        section: .osc,
        statuses: [SurfaceStatus(kind: "osc", port: number, lan: osc.lan)],
        end: { await surface.end() },
      )
    } catch {
      await tree.close()
      throw SurfaceFault(error)
    }
  }

  private func open(
    _ xair: GraphFile.Surfaces.XAir,
    name: String,
  ) async throws(SurfaceFault) -> ServedSurface {
    let tree = rooms.surfaces.tree(of: self, as: "xair")
    let port = OSCServer.Configuration(port: xair.port, lan: xair.lan)
    do throws(OSCError) {
      let (surface, number) = try await XAirSurface.start(port, name: name, tree: tree)
      return ServedSurface(
        section: .xair,
        statuses: [SurfaceStatus(kind: "xair", port: number, lan: xair.lan)],
        end: { await surface.end() },
      )
    } catch {
      await tree.close()
      throw SurfaceFault(error)
    }
  }
}
