// SPDX-License-Identifier: MIT

internal import ControlSocket
internal import GraphFiles
internal import Mixing
internal import Patchbay

/// The host's data about a session, beside the tower's.
struct HeldSession: Sendable {
  /// The owner of a session, which decides when it ends.
  enum Owner: Hashable, Sendable {
    /// The host itself, for all sources of the graph without a session of their own.
    case host
    /// A source of the graph.
    case source
    /// A JACK client that a rule of the graph adopts.
    case client(String)
    /// A connection of the control socket (SES-6).
    case connection(ConnectionID)

    /// Whether it is the process of a connection; of an unknown process only that connection itself. [any-thread]
    func isProcess(of connection: ConnectionID) -> Bool {
      guard case .connection(let owner) = self else { return false }
      return owner == connection
        || owner.processID != nil && owner.processID == connection.processID
    }
  }

  /// The outputs that feed a session's own strip.
  enum Feed: Sendable, Equatable {
    /// The session has no strip of its own.
    case none
    /// JACK ports by name or pattern.
    case ports(SessionPorts)
    /// A sound file that the host plays for the session's program.
    case file(channels: Int)
    /// The outputs of an adopted client, which ``AdoptionRoom`` connects.
    case client(channels: [Int])
  }

  /// The name in the protocol; stays the same when a server loss gives the session another number.
  var name: String
  /// The program.
  let app: String
  let owner: Owner
  /// The name of its instance among those of one program; nil for a session that no rule adopts.
  var keptInstance: String?
  /// The file name of the executable of an adopted client; nil where it is not known.
  var executable: String?
  /// The strips through which it is heard.
  var strips: [String]
  var feed = Feed.none
  /// The names that its rule gives its strips, where it has several; crossfader and cue go by them.
  var graphStrips: [String] = []
  /// The places at which displays show the levels of its own strips; behind the fader where it has none.
  var meterTaps: [GraphFile.MeterTap] = []
  /// Whether it is just being moved to its strip, so that a fade in would be a gap.
  var isBeingMoved = false
  /// The levels with which its own strips start if no user moves them, one for each; 0 dB for further ones.
  var starts: [GraphFile.StartLevels] = []
  /// The levels of the sends of each of its own strips as users have set them, by route; also of routes that it has left.
  var sendLevels: [Int: [String: GraphFile.SendLevel]] = [:]
  /// Whether its program reports running audio; nil if its connections decide.
  var reportedRunning: Bool?
  /// Whether its strips have had no signal for a while, or have not been read yet.
  var isSilent = false
  /// When its strips had no signal for the first time since their last one; nil while they have one.
  var quietSinceNanoseconds: UInt64?
  /// Whether its audio was running at the last check.
  var isRunning = false

  /// Whether it has a strip of its own, which ends with it.
  var ownsStrip: Bool { feed != .none }

  /// The name under which its volume and placement are kept: of an adopted client that of its instance.
  var keptName: String { keptInstance ?? app }

  /// Whether a JACK client that a rule adopts owns it.
  var isAdopted: Bool { if case .client = owner { true } else { false } }

  /// Its own strip; a strip that was made anew has another name.
  var ownStrip: String { strips.first ?? name }

  /// The number of channels of one of its own strips. [any-thread]
  func channels(ofStrip index: Int) -> Int {
    switch feed {
    case .none: 0
    case .ports(let ports): ports.channels
    case .file(let channels): channels
    case .client(let channels): channels[index]
    }
  }

  /// The name under which the volume of one of its own strips is kept. [any-thread]
  func keptName(ofStrip index: Int) -> String {
    graphStrips.indices.contains(index) ? "\(keptName)/\(graphStrips[index])" : keptName
  }

  /// The levels with which one of its own strips starts if no user moves it. [any-thread]
  func start(ofStrip index: Int) -> GraphFile.StartLevels {
    starts.indices.contains(index) ? starts[index] : GraphFile.StartLevels()
  }

  /// Notes the levels of the sends of one of its own strips. [any-thread]
  mutating func note(_ sends: [SendSpec], of strip: String, _ index: Int) {
    for send in sends where send.strip == strip {
      sendLevels[index, default: [:]][send.route] =
        GraphFile.SendLevel(gainDB: send.gainDB, isMuted: send.isMuted)
    }
  }

  /// The place at which displays show the level of one of its own strips. [any-thread]
  func meterTap(ofStrip index: Int) -> GraphFile.MeterTap {
    meterTaps.indices.contains(index) ? meterTaps[index] : .post
  }

  /// Whether the host plays a sound file into its own strip.
  var playsFile: Bool { if case .file = feed { true } else { false } }

  /// Whether its strip is heard at once, without a fade in: that would be a gap in a client that is being moved, or take the
  /// beginning of a file.
  var startsAtOnce: Bool { isBeingMoved || playsFile && reportedRunning != true }

  /// The JACK ports that feed its own strip; nil for other feeds.
  var ports: SessionPorts? { if case .ports(let ports) = feed { ports } else { nil } }
}
