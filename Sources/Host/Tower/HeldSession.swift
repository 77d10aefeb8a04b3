// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import JACK

/// What the host keeps of a session beside what the tower knows.
struct HeldSession: Sendable {
  /// Who the session belongs to, and so when it ends.
  enum Owner: Hashable, Sendable {
    /// The host itself: every source of the graph without a session of its own.
    case host
    /// A source of the graph.
    case source
    /// A JACK client that a rule of the graph adopts.
    case client(String)
    /// A connection of the control socket (SES-6).
    case connection(ConnectionID)
  }

  /// The id on the wire; stays the same when a server loss gives the session another number.
  let name: String
  /// The program.
  let app: String
  let owner: Owner
  /// The strips that it is heard through.
  var strips: [String]
  /// The JACK ports that its own strip is fed from; nil without such a strip.
  var ports: SessionPorts?
  /// The adopted client that its own strip is fed from; nil for other owners.
  var adopted: AdoptedClient?
  /// Whether it is just being moved to its strip, so that nothing may fade in there.
  var isBeingMoved = false
  /// The fader that its own strip starts with where no user has moved it, in dB.
  var startGainDB = 0.0
  /// Whether its program says that its audio runs; nil where the connections tell.
  var reportedRunning: Bool?
  /// Whether its strips had no signal when their meters were last read.
  var isSilent = false
  /// Whether its audio was running when that was last looked at.
  var isRunning = false

  /// Whether it has a strip of its own, which ends with it.
  var ownsStrip: Bool { ports != nil || adopted != nil }

  /// What its volume and places are kept under: a client's name may carry a number of JACK's.
  var keptName: String { adopted.map { ClientProcess.baseName(ofClient: $0.name) } ?? app }

  /// The strip of its own; one that was made anew has another name.
  var ownStrip: String { strips.first ?? name }

  /// How many channels its own strip needs.
  var channels: Int { adopted?.channels ?? ports?.channels ?? 0 }

  /// What feeds its own strip, where the host's client has that name; nil without such a strip.
  func connectionRule(client: String) -> ConnectionRule? {
    adopted?.connectionRule(strip: ownStrip, client: client)
      ?? ports?.rule(strip: ownStrip, client: client)
  }
}
