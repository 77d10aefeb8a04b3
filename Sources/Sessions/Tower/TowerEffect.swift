// SPDX-License-Identifier: MIT

/// One thing for the host to carry out.
public enum TowerEffect: Hashable, Codable, Sendable {
  /// Opens or closes the gate on a session's strip, with a fade.
  case setGate(session: SessionID, isOpen: Bool, fadeMilliseconds: Double)
  /// Ramps a session's strip to a gain in dB, 0 restores it.
  case setDuck(session: SessionID, gainDB: Double, rampMilliseconds: Double)
  /// Opens or closes the gate between the hardware's inputs and a session, with a fade.
  case setCapture(session: SessionID, isOpen: Bool, fadeMilliseconds: Double)
  /// Connects a session's strip to the outputs of the route, and feeds the session from its inputs.
  case setRoute(session: SessionID, route: RouteDescription)
  /// Stops a session's I/O.
  case stopIO(session: SessionID)
  /// Pauses an adopted player over MPRIS or JACK's transport, where it has one of them.
  case pausePlayer(session: SessionID)
  /// Resumes a paused adopted player.
  case resumePlayer(session: SessionID)
  /// Passes a media key to an adopted player over MPRIS, where it has that.
  case commandPlayer(session: SessionID, command: RemoteCommand)
  /// Listens for the next sound of an adopted client, or ends that (rule ACT-9).
  case listen(session: SessionID, isOn: Bool)
  /// Notifies a session.
  case notify(session: SessionID, notification: SessionNotification)
  /// Answers a request.
  case reply(request: RequestID, reply: Reply)
  /// Asks the user whether a program may record.
  case askPermission(session: SessionID, app: String)
  /// Sets the server's values, restarting it where the rate differs.
  case setHardware(values: HardwareValues)
  /// Sets the input gain, linear, 0…1.
  case setInputGain(linear: Float)
  /// Switches a port's data source.
  case setDataSource(portUID: String, dataSource: Int?, polarPattern: String?)
  /// Reports that a call rings, is answered, is declined or ends.
  case reportCall(state: CallState)
  /// Writes one line to the log.
  case log(decision: Decision)
}
