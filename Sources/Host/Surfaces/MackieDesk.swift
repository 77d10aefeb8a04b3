// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import Surfaces

extension GraphFile {
  /// The units of the Mackie Control as controllers to look for.
  ///
  /// Names of the graph have no dots, so these are no others'. [any-thread]
  var mackieDevices: [ControllerDevice] {
    surfaces.mackie.enumerated().map { place, unit in
      ControllerDevice(name: "mackie.\(place + 1)", ports: .words(unit.device))
    }
  }

  /// Strips and routes as a desk shows them, the first output route at its master fader. [any-thread]
  var mackieOrder: MackieOrder {
    MackieOrder(
      strips: sources.map(\.name),
      routes: routes.filter { $0.direction == .output }.map(\.name),
    )
  }
}

extension MackieUnit {
  /// A unit of the graph. [any-thread]
  init(_ unit: GraphFile.MackieUnit) {
    let model: MackieModel =
      switch unit.model {
      case .mackie: .mackie
      case .logic: .logic
      }
    self.init(model: model, isExtender: unit.isExtender, hasColors: unit.hasColors)
  }
}

extension Host {
  /// Serves the Mackie Control of the graph, whose units come and go.
  func startMackie() {
    let graph = rooms.graph
    guard !graph.surfaces.mackie.isEmpty else { return }
    let surface = MackieSurface(
      tree: rooms.surfaces.tree(of: self, as: "mackie", role: .user),
      units: graph.surfaces.mackie.map { MackieUnit($0) },
      order: graph.mackieOrder,
    )
    rooms.surfaces.take(desk: surface)
    Task { await surface.run() }
    let names = graph.mackieDevices.map(\.name)
    rooms.controllers.join("mackie", serving: names.contains) { port in
      guard let unit = names.firstIndex(of: port.name) else { return }
      Task { await surface.serve(port, asUnit: unit) }
    }
  }

  /// Goes over to the units, and to the order of strips and routes, of the graph in force.
  ///
  /// - Parameter before: The graph that was in force.
  func takeMackie(insteadOf before: GraphFile) async {
    let graph = rooms.graph
    guard graph.surfaces.mackie == before.surfaces.mackie else {
      await rooms.surfaces.desk?.end()
      rooms.surfaces.take(desk: nil)
      if graph.surfaces.mackie.isEmpty { rooms.controllers.leave("mackie") }
      return startMackie()
    }
    if graph.mackieOrder != before.mackieOrder {
      await rooms.surfaces.desk?.take(graph.mackieOrder)
    }
  }
}
