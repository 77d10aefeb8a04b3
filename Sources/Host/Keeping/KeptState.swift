// SPDX-License-Identifier: MIT

internal import Patchbay
internal import ServerControl
internal import Sessions

/// The settings of users that outlive the host: kept in one file, and restored at the next start.
///
/// Holds only values that differ from the graph's. Pure value: [any-thread].
struct KeptState: Codable, Sendable, Equatable {
  /// Faders and mutes that a user changed, by strip.
  var strips: [String: KeptLevel] = [:]
  /// Gains and mutes that a user changed, by route.
  var routes: [String: KeptLevel] = [:]
  /// Sends that a user changed, by strip and then by route.
  var sends: [String: [String: KeptLevel]] = [:]
  /// The position of the crossfader that a user set.
  var crossfader: KeptPosition?
  /// The answers of users, by program (PRM-1).
  var permissions: [String: Permission] = [:]
  /// The values of programs, by the name of their sessions.
  var apps: [String: KeptApp] = [:]
  /// The day on which each of these programs was last there, in days since 1970.
  var seenDays: [String: Int] = [:]
  /// The hardware preferences of programs, by the name of their sessions (SES-6).
  var preferences: [String: HardwarePreferences] = [:]
  /// The positions of file sources in seconds from the start of the file, by source.
  var positions: [String: Double] = [:]
  /// Connections that users made by hand, if the graph asks to keep them.
  var patchesMade: Set<ConnectionPair> = []
  /// Connections that users removed.
  var patchesTakenAway: Set<ConnectionPair> = []

  /// A user's answer.
  enum Permission: String, Codable, Sendable {
    /// The program may record.
    case granted
    /// The program may not record.
    case denied
  }

  private enum CodingKeys: String, CodingKey {
    case strips, routes, sends, crossfader, permissions, apps, positions
    // The name in files of the first releases.
    case preferences = "wishes"
    case patchesMade, patchesTakenAway, seenDays
  }

  init() {}

  /// Reads a state, of which any part may be missing.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    strips = try values.decodeIfPresent([String: KeptLevel].self, forKey: .strips) ?? [:]
    routes = try values.decodeIfPresent([String: KeptLevel].self, forKey: .routes) ?? [:]
    sends = try values.decodeIfPresent([String: [String: KeptLevel]].self, forKey: .sends) ?? [:]
    crossfader = try values.decodeIfPresent(KeptPosition.self, forKey: .crossfader)
    permissions =
      try values.decodeIfPresent([String: Permission].self, forKey: .permissions) ?? [:]
    apps = try values.decodeIfPresent([String: KeptApp].self, forKey: .apps) ?? [:]
    preferences =
      try values.decodeIfPresent([String: HardwarePreferences].self, forKey: .preferences) ?? [:]
    positions = try values.decodeIfPresent([String: Double].self, forKey: .positions) ?? [:]
    seenDays = try values.decodeIfPresent([String: Int].self, forKey: .seenDays) ?? [:]
    patchesMade =
      try values.decodeIfPresent(Set<ConnectionPair>.self, forKey: .patchesMade) ?? []
    patchesTakenAway =
      try values.decodeIfPresent(Set<ConnectionPair>.self, forKey: .patchesTakenAway) ?? []
  }
}

extension KeptState {
  /// The days after which a program that was not there is forgotten.
  static let forgettingDays = 180
  /// The number of programs to keep.
  static let programLimit = 500

  /// Notes that these programs are there today, and forgets those that were not there for long, or are too many.
  mutating func note(present: [String], today: Int) {
    for name in present { seenDays[name] = today }
    for name in apps.keys where seenDays[name] == nil { seenDays[name] = today }
    let kept = apps.keys.filter { today - (seenDays[$0] ?? today) <= Self.forgettingDays }
      .sorted { (-(seenDays[$0] ?? 0), $0) < (-(seenDays[$1] ?? 0), $1) }
      .prefix(Self.programLimit)
    let names = Set(kept)
    for name in apps.keys where !names.contains(name) { preferences[name] = nil }
    apps = apps.filter { names.contains($0.key) }
    seenDays = seenDays.filter { names.contains($0.key) }
  }
}

/// A gain and a mute that a user changed, and the graph's values at that time.
///
/// They are restored while the graph still has these values: an edit of the graph counts more.
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

/// A position that a user set, and the graph's position at that time.
struct KeptPosition: Codable, Sendable, Equatable {
  /// The user's position, from −1 to 1.
  var position: Double
  /// The graph's position, from −1 to 1.
  var graphPosition: Double
}

/// The values of a program: its volume, its places, and its last session.
struct KeptApp: Codable, Sendable, Equatable {
  /// The fader of its strip in dB; nil if no user moved it.
  var gainDB: Double?
  /// Whether its strip is muted; nil if no user changed that.
  var isMuted: Bool?
  /// The hardware ports at which each of its outputs, by short name, was heard.
  var placements: [String: [String]]?
  /// Whether its user, and not the program itself, chose them.
  var isPlacedByHand: Bool?
  /// Its last session.
  var session: KeptSession?
}

/// A session that a program had.
struct KeptSession: Codable, Sendable, Equatable {
  var configuration: SessionConfiguration
  var priorityClass: PriorityClass
  var wasActive: Bool
  /// Whether it was paused by a lost device or by its user; nil for no.
  var isPaused: Bool?
  /// Whether the host had paused its player for an interruption; nil for no.
  var isHeld: Bool?
}
