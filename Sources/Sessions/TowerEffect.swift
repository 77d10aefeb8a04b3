// SPDX-License-Identifier: MIT

/// What the host carries out, in this order.
public enum TowerEffect: Hashable, Codable, Sendable {
  /// Opens or closes the gate on a session's strip, with a fade.
  case setGate(session: SessionID, isOpen: Bool, fadeMilliseconds: Double)
  /// Ramps a session's strip to a gain in dB, 0 restores it.
  case setDuck(session: SessionID, gainDB: Double, rampMilliseconds: Double)
  /// Opens or closes the gate between the hardware's inputs and a session, with a fade.
  case setCapture(session: SessionID, isOpen: Bool, fadeMilliseconds: Double)
  /// Patches a session's strip to these ports and feeds it from those.
  case setRoute(session: SessionID, route: RouteDescription)
  /// Stops a session's I/O.
  case stopIO(session: SessionID)
  /// Pauses an adopted player through its own handle, where it has one.
  case pausePlayer(session: SessionID)
  /// Lets a paused adopted player go on.
  case resumePlayer(session: SessionID)
  /// Hands an adopted player a media key through its own handle, where it has one.
  case commandPlayer(session: SessionID, command: RemoteCommand)
  /// Tells a session something.
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
  /// Writes one line to the log.
  case log(decision: Decision)
}
