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
    if let osc = rooms.graph.surfaces.osc { await start(osc) }
    if let xair = rooms.graph.surfaces.xair { await start(xair) }
    if let oscquery = rooms.graph.surfaces.oscquery { await serve(oscquery) }
    if let web = rooms.graph.surfaces.web { await serve(web) }
    announceSurfaces()
  }

  /// Serves OSC; a port in use is reported, and the host plays on.
  func start(_ osc: GraphFile.Surfaces.OSC) async {
    var status = SurfaceStatus(kind: "osc", port: osc.port, lan: osc.lan)
    let tree = rooms.surfaces.tree(of: self, as: status.kind)
    let port = OSCServer.Configuration(port: osc.port, tcp: osc.tcp, lan: osc.lan)
    do throws(OSCError) {
      let (surface, number) = try await OSCSurface.start(port, tree: tree)
      status.port = number
      rooms.surfaces.serve(status) { await surface.end() }
    } catch {
      await leaveOut(status, error, tree)
    }
  }

  private func start(_ xair: GraphFile.Surfaces.XAir) async {
    var status = SurfaceStatus(kind: "xair", port: xair.port, lan: xair.lan)
    let tree = rooms.surfaces.tree(of: self, as: status.kind)
    let port = OSCServer.Configuration(port: xair.port, lan: xair.lan)
    do throws(OSCError) {
      let name = configuration.graph.name
      let (surface, number) = try await XAirSurface.start(port, name: name, tree: tree)
      status.port = number
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
