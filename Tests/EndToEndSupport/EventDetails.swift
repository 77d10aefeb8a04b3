// SPDX-License-Identifier: MIT

import ControlProtocol

/// The details of one kind of event; nil for every other kind.
extension ControlEvent {
  var serverBack: EventPayload.ServerBack? {
    if case .serverBack(let details) = payload { details } else { nil }
  }

  var hardwareChanged: EventPayload.HardwareChanged? {
    if case .hardwareChanged(let details) = payload { details } else { nil }
  }

  var gaveWay: EventPayload.GaveWay? {
    if case .gaveWay(let details) = payload { details } else { nil }
  }

  var helper: EventPayload.Helper? {
    if case .helper(let details) = payload { details } else { nil }
  }

  var mixChanged: EventPayload.MixChanged? {
    if case .mixChanged(let details) = payload { details } else { nil }
  }

  var fadeFinished: EventPayload.FadeFinished? {
    if case .fadeFinished(let details) = payload { details } else { nil }
  }

  var recording: EventPayload.Recording? {
    if case .recording(let details) = payload { details } else { nil }
  }

  var session: EventPayload.SessionNotice? {
    if case .session(let details) = payload { details } else { nil }
  }

  var decision: EventPayload.Decision? {
    if case .decision(let details) = payload { details } else { nil }
  }

  var permission: EventPayload.Permission? {
    if case .permission(let details) = payload { details } else { nil }
  }

  var alarm: AlarmStatus? {
    if case .alarm(let details) = payload { details } else { nil }
  }

  var nodeStarted: EventPayload.NodeStarted? {
    if case .nodeStarted(let details) = payload { details } else { nil }
  }

  var nodeLate: EventPayload.NodeLate? {
    if case .nodeLate(let details) = payload { details } else { nil }
  }

  var nodeFault: EventPayload.NodeFault? {
    if case .nodeFault(let details) = payload { details } else { nil }
  }

  var remoteControl: EventPayload.RemoteControl? {
    if case .remoteControl(let details) = payload { details } else { nil }
  }
}
