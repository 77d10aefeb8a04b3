// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import GraphFiles
internal import Mixing

extension Host {
  /// Answers the requests about parameters. [any-thread]
  nonisolated func registerParameters(on router: ControlRouter) -> ControlRouter {
    router
      .on(ListParameters.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.parameters.list(params) }
      }
      .on(GetParameters.self) { params, _ throws(ControlError) in
        try await self.run { rooms throws(ControlError) in try rooms.parameters.get(params) }
      }
      .on(SetParameters.self) { params, connection throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try await rooms.set(
            params.values,
            rampMilliseconds: params.rampMilliseconds,
            for: connection,
          )
          return Applied(frame: rooms.control.frame)
        }
      }
      .on(WatchParameters.self) { params, connection throws(ControlError) in
        try await self.run { rooms throws(ControlError) in
          try rooms.parameters.watch(params, for: connection)
        }
      }
  }
}

/// The rooms as parameters use them. [control-thread]
extension Rooms {
  /// Sets parameters in their order, after all of them were checked.
  ///
  /// - Throws: The first fault, such as `refused` for an app that sets what its user decides (PRM-2); the refusal of a change names its path, and the changes before it stay.
  func set(
    _ settings: [ParameterSetting],
    rampMilliseconds: Double?,
    for connection: ConnectionID,
  ) async throws(ControlError) {
    let orders = try parameters.orders(settings)
    for order in orders {
      try roles.check(
        order.kind.access(order.names),
        of: order.setting.path,
        from: connection,
      )
    }
    for order in orders {
      guard let write = order.kind.write else { continue }
      let change = ParameterKind.Change(
        names: order.names,
        value: order.setting.value,
        rampMilliseconds: rampMilliseconds,
        connection: connection,
      )
      try await write(self, change)
      parameters.hasSet(order.setting, by: connection)
    }
  }

  /// Sets the alignment of an output route.
  @discardableResult
  func setAlignment(_ params: SetAlignment.Params) throws(ControlError) -> Applied {
    try params.check()
    let applied = try routes.setAlignment(params)
    parameters.changed()
    return applied
  }

  /// The present delay of an output route; nil for a route that is not there.
  func delayMilliseconds(ofRoute route: String) -> Double? {
    let frames = control.mixEngine?.spec.routes.first { $0.id == route }?.delayFrames
    let rate = Double(hardware.sampleRateHz)
    return frames.flatMap { rate > 0 ? Double($0) / rate * 1000 : nil }
  }

  /// Starts a recorder, unless it would carry a microphone to a program that may not hear it (PRM-3).
  func startRecording(
    _ params: StartRecording.Params,
    for connection: ConnectionID,
  ) throws(ControlError) -> RecorderStatus {
    if let subject = recording.subject(of: params) {
      try capture.refuseRecording(of: subject, by: connection.processID)
    }
    return try recording.start(params, sampleRateHz: Double(hardware.sampleRateHz))
  }

  /// The connections of the parameter room to the rest of the host.
  func parameterLinks() -> ParameterRoom.Links {
    ParameterRoom.Links(
      snapshot: { [unowned self] in
        ParameterSnapshot(
          status: self.status(),
          permissions: capture.listPermissions().programs,
          scenes: scenes.list,
          meters: nil,
          transport: control.attachment?.transport,
          nodes: nodes.parameters,
          picks: sessions.picks,
          simulated: simulatedStates,
          notice: surfaces.notice,
          appearances: inForce.appearances,
          limited: Set(graph.routes.filter { $0.limiter != nil }.map(\.name)),
        )
      },
      send: { [unowned self] changes, connections in
        output.present(changes, to: connections.filter { !surfaces.present(changes, to: $0) })
      },
      levelsWatched: { [unowned self] in levels.parametersWatched($0) },
      reasons: { [unowned self] in sessions.reasons(ofStrips: $0.strips.map(\.id)) },
      details: { [unowned self] kind, names in kind.details?(self, names) },
    )
  }
}
