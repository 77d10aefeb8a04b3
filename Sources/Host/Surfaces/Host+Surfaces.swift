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
    if let osc = configuration.graph.surfaces.osc { await start(osc) }
    if let xair = configuration.graph.surfaces.xair { await start(xair) }
    if let oscquery = configuration.graph.surfaces.oscquery { await serve(oscquery) }
    if let web = configuration.graph.surfaces.web { await serve(web) }
  }

  private func start(_ osc: GraphFile.Surfaces.OSC) async {
    let status = SurfaceStatus(kind: "osc", port: osc.port, lan: osc.lan)
    let tree = rooms.surfaces.tree(of: self)
    let port = OSCServer.Configuration(port: osc.port, tcp: osc.tcp, lan: osc.lan)
    do throws(OSCError) {
      let surface = try await OSCSurface.start(port, tree: tree).surface
      rooms.surfaces.serve(status) { await surface.end() }
    } catch {
      await leaveOut(status, error, tree)
    }
  }

  private func start(_ xair: GraphFile.Surfaces.XAir) async {
    let status = SurfaceStatus(kind: "xair", port: xair.port, lan: xair.lan)
    let tree = rooms.surfaces.tree(of: self)
    let port = OSCServer.Configuration(port: xair.port, lan: xair.lan)
    do throws(OSCError) {
      let surface = try await XAirSurface.start(port, name: configuration.graph.name, tree: tree)
      rooms.surfaces.serve(status) { await surface.end() }
    } catch {
      await leaveOut(status, error, tree)
    }
  }

  private func leaveOut(_ status: SurfaceStatus, _ fault: OSCError, _ tree: HostTree) async {
    var status = status
    status.fault = fault.description
    await tree.close()
    rooms.surfaces.serve(status)
    rooms.control.publish(.error(), "\(status.kind): \(fault)")
  }
}
