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
  }

  private func start(_ osc: GraphFile.Surfaces.OSC) async {
    var status = SurfaceStatus(kind: "osc", port: osc.port, lan: osc.lan)
    let tree = rooms.surfaces.tree(of: self)
    let port = OSCServer.Configuration(port: osc.port, tcp: osc.tcp, lan: osc.lan)
    do throws(OSCError) {
      let surface = try await OSCSurface.start(port, tree: tree).surface
      rooms.surfaces.serve(status) { await surface.end() }
    } catch {
      status.fault = error.description
      await tree.close()
      rooms.surfaces.serve(status)
      rooms.control.publish(.error(), "osc: \(error)")
    }
  }
}
