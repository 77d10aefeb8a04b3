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

  /// Takes an output route's connections away, or makes them again.
  private func setPlug(_ name: String, isPlugged: Bool) throws(ControlError) {
    let outputs = configuration.graph.routes.filter { $0.direction == .output }.map(\.name)
    guard outputs.contains(name) else { throw .unknownRoute(name, known: outputs) }
    if isPlugged {
      keeper.plug(name)
      connectMissing()
    } else {
      for pair in keeper.unplug(name) {
        // An error means that the connection is gone already.
        try? presence?.mix.disconnect(pair.source, from: pair.destination)
      }
    }
    tellAvailability()
  }
}
