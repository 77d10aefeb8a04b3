// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import Sessions

/// The states that a user decides: simulated events, permissions and sessions (SYS-4, PRM-1, ACT-1). [any-thread]
extension ParameterKind {
  /// The switches of a phone, and interruptions and lost routes as they are simulated.
  static let ofSimulation: [ParameterKind] =
    [
      simulated(
        "silentSwitch",
        .silentSwitch,
        "whether the silent switch is on, as it is simulated"
      ) { $0.isSilentSwitchOn },
      simulated("lock", .lock, "whether the screen is locked, as it is simulated") {
        $0.isScreenLocked
      },
      simulated(
        "microphoneMute",
        .microphoneMute,
        "whether the built-in microphone's switch mutes it, as it is simulated"
      ) { $0.isMicrophoneMuted },
    ] + [interruption, unplug]

  private static func simulated(
    _ name: String,
    _ event: Simulate.Event,
    _ description: String,
    _ isOn: @escaping @Sendable (SimulatedStates) -> Bool,
  ) -> ParameterKind {
    ParameterKind(
      template: "/simulate/\(name)",
      type: .flag,
      description: description,
      instances: { [Instance(value: .flag(isOn($0.simulated)))] },
      write: { rooms, change throws(ControlError) in
        var params = Simulate.Params(event: event)
        params.on = change.isOn
        _ = try rooms.simulate(params)
      },
      access: { _ in .users },
    )
  }

  private static let interruption = ParameterKind(
    template: "/simulate/interruption/*",
    type: .flag,
    description: "whether a call (phone), an alarm or an assistant interrupts, as it is simulated",
    instances: { snapshot in
      SimulatedStates.classes.map {
        Instance($0.name, value: .flag(snapshot.simulated.interrupting.contains($0)))
      }
    },
    write: { rooms, change throws(ControlError) in
      let name = change.names[0]
      guard let priorityClass = SimulatedStates.classes.first(where: { $0.name == name }) else {
        throw ParameterRoom.unknown("/simulate/interruption/\(name)")
      }
      var params = Simulate.Params(event: change.isOn ? .interruptionBegin : .interruptionEnd)
      params.priorityClass = priorityClass
      _ = try rooms.simulate(params)
    },
    access: { _ in .users },
  )

  private static let unplug = ParameterKind(
    template: "/simulate/unplug/*",
    type: .flag,
    description: "whether the route is unplugged, as it is simulated",
    instances: { snapshot in
      snapshot.status.routes.map {
        Instance($0.name, value: .flag(snapshot.simulated.unplugged.contains($0.name)))
      }
    },
    write: { rooms, change throws(ControlError) in
      var params = Simulate.Params(event: change.isOn ? .unplug : .plug)
      params.route = change.names[0]
      _ = try rooms.simulate(params)
    },
    access: { _ in .users },
  )

  /// Whether a program may record.
  static let permission = ParameterKind(
    template: "/permission/*",
    type: .text,
    choices: RecordPermission.allCases.map(\.name),
    description: "whether the program may record; undetermined: it waits for your answer",
    instances: { snapshot in
      snapshot.permissions.compactMap { program in
        program.permission.map {
          Instance(program.executable ?? program.program, value: .text($0.name))
        }
      }
    },
    write: { rooms, change throws(ControlError) in
      guard let permission = RecordPermission(name: change.text) else { return }
      let program = change.names[0]
      try rooms.sessions.refuseOwnAnswer(for: program, from: change.connection)
      _ = try rooms.capture.setPermission(
        SetPermission.Params(program: program, permission: permission),
        from: change.connection.processID,
      )
    },
    access: { _ in .users },
  )

  /// Whether a session is active.
  static let sessionActive = ParameterKind(
    template: "/session/*/active",
    type: .flag,
    description: "whether the session is active",
    instances: { $0.status.sessions.map { Instance($0.id, value: .flag($0.active)) } },
    write: { rooms, change throws(ControlError) in
      let session = change.names[0]
      if change.isOn {
        _ = try await rooms.sessions.activate(named: session)
      } else {
        _ = try rooms.sessions.deactivate(
          DeactivateSession.Params(session: session, notifyOthers: true)
        )
      }
    },
    access: { .session($0[0]) },
  )

  /// The route that a user has picked for a session (VOL-4).
  static let sessionRoute = ParameterKind(
    template: "/session/*/route",
    type: .text,
    description: "the output route that its user has picked; empty: the rules decide",
    instances: { snapshot in
      snapshot.picks.map { Instance($0.key, value: .text($0.value)) }
    },
    write: { rooms, change throws(ControlError) in
      let route = change.text.isEmpty ? nil : change.text
      let params = ChooseRoute.Params(session: change.names[0], route: route)
      try rooms.sessions.choose(params, outputs: rooms.outputRoutes)
    },
    access: { .routePicker(session: $0[0]) },
  )
}

/// The simulated states of the machine (SYS-4).
///
/// Pure value: [any-thread].
struct SimulatedStates: Sendable {
  /// The classes of interruptions that can be simulated.
  static let classes: [PriorityClass] = [.phone, .alarm, .assistant]

  /// Whether the silent switch is on.
  var isSilentSwitchOn = false
  /// Whether the screen is locked.
  var isScreenLocked = false
  /// Whether the built-in microphone is muted.
  var isMicrophoneMuted = false
  /// The classes that interrupt now.
  var interrupting: Set<PriorityClass> = []
  /// The routes that are unplugged.
  var unplugged: Set<String> = []
}

extension Rooms {
  /// The simulated states now. [control-thread]
  var simulatedStates: SimulatedStates {
    let state = sessions.state
    return SimulatedStates(
      isSilentSwitchOn: state.isSilentSwitchOn,
      isScreenLocked: state.isScreenLocked,
      isMicrophoneMuted: state.isMicrophoneMuted,
      interrupting: Set(state.simulated.map(\.priorityClass)),
      unplugged: routes.unplugged,
    )
  }
}
