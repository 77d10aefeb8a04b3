// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Sessions

extension Host {
  /// Produces a system event (SYS-4).
  func simulate(_ params: Simulate.Params) throws(ControlError) -> Applied {
    let isOn = params.on ?? true
    let priorityClass = params.priorityClass.flatMap(PriorityClass.init(rawValue:)) ?? .phone
    switch params.event {
    case .interruptionBegin:
      tell(.simulatedInterruptionBegan(class: priorityClass, isRinging: false))
    case .interruptionEnd:
      tell(
        .simulatedInterruptionEnded(
          class: priorityClass,
          shouldResume: params.shouldResume ?? true,
        )
      )
    case .silentSwitch:
      tell(.silentSwitchChanged(isOn: isOn))
    case .lock:
      tell(.screenLockChanged(isLocked: isOn))
    case .microphoneMute:
      tell(.microphoneMuteChanged(isMuted: isOn))
    case .background:
      let app = params.app ?? ""
      let sessions = tower.sessions(of: app)
      guard !sessions.isEmpty else { throw .unknownSession(app, known: tower.names) }
      for id in sessions {
        tell(isOn ? .appBackgrounded(session: id) : .appForegrounded(session: id))
      }
    case .unplug:
      try setPlug(params.route ?? "", isPlugged: false)
    case .plug:
      try setPlug(params.route ?? "", isPlugged: true)
    case .serverLoss:
      serverLost("simulated")
    }
    return Applied(frame: frame())
  }

  /// Takes a route's connections away, or makes them again.
  private func setPlug(_ name: String, isPlugged: Bool) throws(ControlError) {
    let routes = configuration.graph.routes.map(\.name)
    guard routes.contains(name) else { throw .unknownRoute(name, known: routes) }
    if isPlugged { unpluggedRoutes.remove(name) } else { unpluggedRoutes.insert(name) }
    updatePlug(name)
  }

  /// Whether a route is away though its ports may be there.
  func isHeld(_ route: String) -> Bool {
    heldRoutes.contains(route) || unpluggedRoutes.contains(route)
  }

  /// Connects a route, or takes its connections away, as what holds it says.
  func updatePlug(_ route: String) {
    if isHeld(route) {
      for pair in keeper.unplug(route) { disconnect(pair) }
    } else {
      keeper.plug(route)
    }
    connectMissing()
    tellAvailability()
    alignRoutes()
  }
}
