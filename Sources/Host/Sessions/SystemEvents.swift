// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Sessions

extension Rooms {
  /// Produces a system event (SYS-4).
  ///
  /// - Throws: `badValue` for an unknown route or program. [control-thread]
  func simulate(_ params: Simulate.Params) throws(ControlError) -> Applied {
    let isOn = params.on ?? true
    let priorityClass = params.priorityClass ?? .phone
    switch params.event {
    case .interruptionBegin:
      sessions.tell(.simulatedInterruptionBegan(class: priorityClass, isRinging: false))
    case .interruptionEnd:
      sessions.tell(
        .simulatedInterruptionEnded(
          class: priorityClass,
          shouldResume: params.shouldResume ?? true,
        )
      )
    case .callRing:
      sessions.tell(.simulatedInterruptionBegan(class: .phone, isRinging: true))
    case .callAnswer: sessions.tell(.callAnswered)
    case .callDecline: sessions.tell(.callDeclined)
    case .callEnd:
      sessions.tell(
        .simulatedInterruptionEnded(class: .phone, shouldResume: params.shouldResume ?? true)
      )
    case .silentSwitch: sessions.tell(.silentSwitchChanged(isOn: isOn))
    case .lock: sessions.tell(.screenLockChanged(isLocked: isOn))
    case .microphoneMute: sessions.tell(.microphoneMuteChanged(isMuted: isOn))
    case .background: try sessions.setBackground(params.app ?? "", isOn: isOn)
    case .foreground: sessions.bringToForeground(params.app)
    case .unplug: try routes.setPlug(params.route ?? "", isPlugged: false)
    case .plug: try routes.setPlug(params.route ?? "", isPlugged: true)
    case .serverLoss: server.lose("simulated")
    }
    parameters.changed()
    return Applied(frame: control.frame)
  }
}
