// SPDX-License-Identifier: MIT

import ControlProtocol
import JACK

@testable import Host

extension ScriptedServer {
  /// A stereo program comes, and connects itself to the first two outputs of the card.
  func start(_ client: String) {
    appear(client, outputs: ["left", "right"])
    connect("\(client):left", "system:playback_1")
    connect("\(client):right", "system:playback_2")
  }
}

extension House {
  /// A server on which every program is adopted, but for recorders.
  static let adoptionGraph = """
    multiroute: 1
    name: house
    session: {category: multiRoute, options: [mixWithOthers]}
    permissions: {default: granted}
    routes:
      main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
    sources: {}
    mix: []
    adopt:
      - {client: /rec.*/, leave: true}
      - {client: voice, session: {category: playback, options: [duckOthers]}, gain: -6 dB}
      - {client: fixed, session: {category: playback, options: [mixWithOthers]}, routes: [phones]}
      - {client: /call.*/, session: {category: playback}}
      - {session: {category: playback, options: [mixWithOthers]}}
    """

  /// The session of a client, as `status` has it.
  func session(_ app: String) async -> SessionStatus? {
    await status.sessions.first { $0.app == app }
  }
}
