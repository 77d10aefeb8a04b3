// SPDX-License-Identifier: MIT

internal import ControlSocket

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
  /// The JACK ports that its own strip is fed from; nil where the strips are the graph's.
  var ports: SessionPorts?
  /// The fader that its own strip starts with where no user has moved it, in dB.
  var startGainDB = 0.0
  /// Whether its program says that its audio runs; nil where the connections tell.
  var reportedRunning: Bool?
  /// Whether its audio was running when that was last looked at.
  var isRunning = false
}
