// SPDX-License-Identifier: MIT

internal import Sessions

/// The connections of the session room to other rooms.
///
/// Belongs to the control thread.
struct SessionLinks {
  /// Opens and closes the capture gates by permissions and sessions.
  var settleCaptures: () -> Void
  /// Publishes the question whether a program may record.
  var publishQuestion: (_ app: String) -> Void
  /// Whether a client is connected to a capture gate, open or closed.
  var isCapturing: (_ client: String) -> Bool

  /// Brings the hardware to the preferences of the active sessions.
  var settleHardware: () -> Void
  /// Returns when the hardware is settled.
  var hardwareIsSettled: () async -> Void

  /// Pauses, resumes or commands the player behind an adopted client.
  var pausePlayer: (SessionID) -> Void
  var resumePlayer: (SessionID) -> Void
  var commandPlayer: (SessionID, RemoteCommand) -> Void
  /// Where a strip of an adopted client is heard among these routes, with the matrix; nil for the usual channels.
  var sends: (SessionID, _ strip: Int, _ routes: [String]) -> [(route: String, matrix: [[Float]]?)]
  /// The sound of a session that reaches the hardware past its strips.
  var directSounds: (SessionID, HeldSession) -> [DirectSound]
  /// The sources of the graph whose ports are a client's.
  var sourcesOfClient: (_ client: String) -> [String]
  /// Whether an adopted client is heard past its strip alone.
  var isHeardDirectlyOnly: (SessionID) -> Bool

  /// The recent samples of some strips that were no sound, in a sentence; nil without any.
  var inputFaults: (_ strips: [String]) -> String?

  /// The routes and the system's input.
  var routePorts: () -> [RoutePort]
  /// Where the output routes are heard.
  var routePlaces: () -> RoutePlaces

  /// The values that a user last gave a strip of a program; nil for an unchanged one.
  var keptStrip: (_ keptName: String) -> KeptApp?
  /// The rest that is heard of an adopted client once the host is dead, in a sentence; nil for other sessions.
  var ifHostDies: (SessionID, _ name: String) -> String?
  /// Reports a change of state that outlives the host.
  var stateChanged: () -> Void
  /// Reports that a session's gate opens or closes.
  var gateChanged: () -> Void
  /// Keeps the volume and placement of a session that is about to end.
  var keep: (HeldSession, SessionID) -> Void
}

extension Rooms {
  /// The connections of the session room to other rooms.
  func sessionLinks() -> SessionLinks {
    SessionLinks(
      settleCaptures: { [unowned self] in capture.settle() },
      publishQuestion: { [unowned self] app in capture.publishQuestion(app) },
      isCapturing: { [unowned self] client in capture.isCapturing(client) },
      settleHardware: { [hardware] in hardware.settle() },
      hardwareIsSettled: { [hardware] in await hardware.isSettled() },
      pausePlayer: { [unowned self] in adoption.pausePlayer($0) },
      resumePlayer: { [unowned self] in adoption.resumePlayer($0) },
      commandPlayer: { [unowned self] in adoption.commandPlayer($0, $1) },
      sends: { [unowned self] in adoption.sends($0, strip: $1, to: $2) },
      directSounds: { [unowned self] id, held in
        adoption.directSounds(id) + sources.directSounds(ofStrips: held.strips)
      },
      sourcesOfClient: { [unowned self] in sources.names(ofClient: $0) },
      isHeardDirectlyOnly: { [unowned self] in adoption.isHeardDirectlyOnly($0) },
      inputFaults: { [levels] in levels.faultSentence(ofStrips: $0) },
      routePorts: { [unowned self] in routes.ports() },
      routePlaces: { [unowned self] in routes.places() },
      keptStrip: { [keeping] name in keeping.app(name) },
      ifHostDies: { [unowned self] id, name in
        guarding.isEnabled ? adoption.fate(id, named: name) : nil
      },
      stateChanged: { [keeping] in keeping.changed() },
      gateChanged: { [unowned self] in
        tellGuardSoon()
        keeping.changed()
      },
      keep: { [unowned self] held, id in
        keeping.keep(programSnapshots(held, id))
      },
    )
  }
}
