// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Surfaces

extension Host {
  /// Answers the requests about MIDI controllers. [any-thread]
  nonisolated func registerControllers(on router: ControlRouter) -> ControlRouter {
    router
      .on(ListControllers.self) { _, _ in await self.controllerList() }
      .on(LearnControl.self) { params, connection throws(ControlError) in
        let surface = try await self.run { rooms throws(ControlError) in
          try rooms.learning.surface.orRefused()
        }
        if params.forget == true {
          await surface.forget(params.parameter)
          try await self.keep(surface)
          return LearnControl.Result()
        }
        let limit = Duration.milliseconds(Int(params.timeoutMilliseconds ?? 30_000))
        let lesson = try await self.run { rooms throws(ControlError) in
          try rooms.learning.lesson(for: connection) { () throws(ControlError) in
            try await surface.learn(params.parameter, device: params.device, within: limit)
          }
        }
        let learned = try await lesson.value.get()
        try await self.keep(surface)
        let device = GuestController.device(of: learned.controller)
        return LearnControl.Result(
          controller: device == nil ? learned.controller : nil,
          device: device,
          control: learned.mapping.control.description,
          line: learned.mapping.line,
        )
      }
  }

  private nonisolated func keep(_ surface: ControllerSurface) async throws(ControlError) {
    let learned = await surface.learned
    try await run { rooms throws(ControlError) in try await rooms.learning.keep(learned) }
  }

  /// The controllers of the graph with what is plugged in, in the order of the graph, and the devices that it does not have.
  ///
  /// [any-thread]
  nonisolated func controllerList() async -> ListControllers.Result {
    let reports = await run { $0.learning.surface }?.reports ?? [:]
    let (configured, path) = await run { ($0.graph.controllers, $0.graph.path) }
    let unknown = await run { $0.controllers.unknownDevices }
    // Reads files, which the control thread must not wait for.
    let proposals = unknown.isEmpty ? nil : MappingProposals(besideGraph: path)
    let guests = unknown.map { device in
      var status = UnknownController(device: device.name, isHeard: device.isHeard)
      let report = reports[GuestController.name(ofDevice: device.name)]
      status.learned = report?.learned ?? []
      status.lastControl = report?.lastMove?.control.description
      status.lastValue = report?.lastMove?.value
      let found = proposals?.best(for: device.name, lastControl: report?.lastMove?.control)
      (status.mappingFile, status.mappingFit) = (found?.file, found?.fit)
      return status
    }
    return await run { rooms in
      let devices = Dictionary(rooms.controllers.reports.map { ($0.name, $0.device) }) { $1 }
      let controllers = configured.map { controller in
        var status = ControllerStatus(
          name: controller.name,
          device: devices[controller.name] ?? nil,
          lookedFor: controller.device.description,
          mappingFile: controller.mappingFile,
        )
        guard let report = reports[controller.name] else { return status }
        status.mappings = report.mappings
        status.learned = report.learned
        status.missing = report.missing
        status.lastControl = report.lastMove?.control.description
        status.lastValue = report.lastMove?.value
        return status
      }
      return ListControllers.Result(controllers: controllers, unknown: guests)
    }
  }

  /// Lets the graph's MIDI controllers set and show parameters. [control-thread]
  func beginControllers() {
    guard rooms.graph.hearsControllers else { return }
    let tree = rooms.surfaces.tree(of: self, as: "controllers", role: .user)
    rooms.learning.begin(tree, rooms.graph.controllers)
    rooms.controllers.join("controllers") { [weak surface = rooms.learning.surface] port in
      Task { await surface?.serve(port) }
    }
  }

  /// Knows the MIDI controllers of the next version beside the present ones, before they are plugged in. [control-thread]
  func admitControllers(of next: GraphFile) async {
    let present = rooms.graph.controllers
    let names = Set(present.map(\.name))
    let new = next.controllers.filter { !names.contains($0.name) }
    guard let surface = rooms.learning.surface, !new.isEmpty else { return }
    await use(present + new, by: surface)
  }

  private func use(_ controllers: [GraphFile.Controller], by surface: ControllerSurface) async {
    do throws(ControlError) {
      try await surface.take(controllers)
    } catch {
      rooms.control.publish(.error(), "the MIDI controllers cannot be used: \(error.message)")
    }
  }

  /// Goes over to the MIDI controllers and the mappings of the graph in force. [control-thread]
  ///
  /// - Parameter before: The graph that was in force.
  func takeControllers(insteadOf before: GraphFile) async {
    let graph = rooms.graph
    guard graph.hearsControllers else {
      rooms.controllers.leave("controllers")
      return await rooms.learning.leave()
    }
    guard let surface = rooms.learning.surface else { return beginControllers() }
    if graph.controllers != before.controllers { await use(graph.controllers, by: surface) }
  }
}

extension Optional<ControllerSurface> {
  /// The surface. [any-thread]
  ///
  /// - Throws: `refused` for a graph without controllers.
  fileprivate func orRefused() throws(ControlError) -> ControllerSurface {
    guard let self else {
      throw ControlError(
        .refused,
        message:
          "learn: the graph has no 'controls.midi', so no controller is heard; write 'controls: {midi: {}}'",
      )
    }
    return self
  }
}
