// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay

/// The host's clients as controllers need them. [control-thread]
final class AttachedControllers {
  private let presence: any HostPresence

  init(presence: any HostPresence) { self.presence = presence }

  /// The lines to the controllers, in the order of the graph; nil where the clients have none.
  var lines: ControllerLines? { presence.controllerLines }

  /// All MIDI ports of other clients.
  func ports() throws(JACKError) -> [PortInfo] { try presence.midiPorts().filter { !$0.isMine } }

  /// The port of this full name; nil where there is none.
  func port(named name: String) -> PortInfo? { presence.portInfo(name) }

  /// Connects two ports.
  func connect(_ pair: ConnectionPair) throws(JACKError) {
    try presence.connect(pair.source, to: pair.destination, awaiting: .nothing)
  }

  /// Disconnects two ports.
  func disconnect(_ pair: ConnectionPair) throws(JACKError) {
    try presence.disconnect(pair.source, from: pair.destination)
  }
}
