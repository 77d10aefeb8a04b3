// SPDX-License-Identifier: MIT

internal import Sessions

/// What a user would miss when the host died: kept in one file, and restored at the next start.
///
/// Holds only what differs from the graph: a value that the graph gives is the graph's.
struct KeptState: Codable, Sendable, Equatable {
  /// Faders and mutes that a user has moved, by strip.
  var strips: [String: KeptLevel] = [:]
  /// Gains and mutes that a user has changed, by route.
  var routes: [String: KeptLevel] = [:]
  /// Sends that a user has changed, by strip and then by route.
  var sends: [String: [String: KeptLevel]] = [:]
  /// Where a user has put the crossfader.
  var crossfader: KeptPosition?
  /// What users have answered, by program (PRM-1).
  var permissions: [String: Permission] = [:]
  /// What is kept of programs, by the name their sessions have.
  var apps: [String: KeptApp] = [:]
  /// What programs wish of the hardware, by the name their sessions had (SES-6).
  var wishes: [String: HardwarePreferences] = [:]
  /// Where file sources are, in seconds from the start of the file, by source.
  var positions: [String: Double] = [:]
  /// Connections that users have made by hand, where the graph asks to keep them.
  var patchesMade: Set<ConnectionPair> = []
  /// Connections that users have taken away.
  var patchesTakenAway: Set<ConnectionPair> = []

  /// A user's answer.
  enum Permission: String, Codable, Sendable {
    /// It may record.
    case granted
    /// It may not.
    case denied
  }

  init() {}

  /// Reads a state, in which anything may be missing.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    strips = try values.decodeIfPresent([String: KeptLevel].self, forKey: .strips) ?? [:]
    routes = try values.decodeIfPresent([String: KeptLevel].self, forKey: .routes) ?? [:]
    sends = try values.decodeIfPresent([String: [String: KeptLevel]].self, forKey: .sends) ?? [:]
    crossfader = try values.decodeIfPresent(KeptPosition.self, forKey: .crossfader)
    permissions =
      try values.decodeIfPresent([String: Permission].self, forKey: .permissions) ?? [:]
    apps = try values.decodeIfPresent([String: KeptApp].self, forKey: .apps) ?? [:]
    wishes = try values.decodeIfPresent([String: HardwarePreferences].self, forKey: .wishes) ?? [:]
    positions = try values.decodeIfPresent([String: Double].self, forKey: .positions) ?? [:]
    patchesMade =
      try values.decodeIfPresent(Set<ConnectionPair>.self, forKey: .patchesMade) ?? []
    patchesTakenAway =
      try values.decodeIfPresent(Set<ConnectionPair>.self, forKey: .patchesTakenAway) ?? []
  }
}

/// A gain and a mute that a user has changed, and what the graph said then.
///
/// They are restored while the graph still says so: who edits the graph means the graph.
struct KeptLevel: Codable, Sendable, Equatable {
  /// The gain in dB.
  var gainDB: Double
  /// Whether it is muted.
  var isMuted: Bool
  /// The gain that the graph gives, in dB.
  var graphGainDB: Double
  /// Whether the graph mutes it.
  var isMutedByGraph: Bool
}

/// Where a user has put something, and where the graph had it then.
struct KeptPosition: Codable, Sendable, Equatable {
  /// From −1 to 1.
  var position: Double
  /// From −1 to 1.
  var graphPosition: Double
}

/// What is kept of a program: its volume, where it is heard, and the session that it had last.
struct KeptApp: Codable, Sendable, Equatable {
  /// The fader of its strip in dB; nil where nobody has moved it.
  var gainDB: Double?
  /// Whether its strip is muted; nil where nobody has said so.
  var isMuted: Bool?
  /// The ports of the hardware that each of its outputs, by short name, was heard at.
  var placements: [String: [String]]?
  /// Whether its user put it there, and not it itself.
  var isPlacedByHand: Bool?
  /// The session that it had last.
  var session: KeptSession?
}

/// A session that a program had.
struct KeptSession: Codable, Sendable, Equatable {
  var configuration: SessionConfiguration
  var priorityClass: PriorityClass
  var wasActive: Bool
  /// Whether it was paused, as its device had gone or its user had said so; nil for no.
  var isPaused: Bool?
  /// Whether the host had really paused its player for an interruption; nil for no.
  var isHeld: Bool?
}
