// SPDX-License-Identifier: MIT

internal import Patchbay
internal import Sessions
internal import SystemSupport

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
  /// The files that the answers for paths mean, by path (PRM-2).
  var answeredFiles: [String: FileIdentity] = [:]
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

  /// Reads a state, of which any part may be missing; values that cannot be used are noted and left out.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    strips = values.entries(.strips, of: decoder)
    routes = values.entries(.routes, of: decoder)
    let sends: [String: KeptEntries<KeptLevel>] = values.entries(.sends, of: decoder)
    self.sends = sends.mapValues(\.wrappedValue)
    let position: KeptPosition? = values.part(.crossfader, of: decoder)
    crossfader = position?.repaired {
      ReadingFaults.note($0, at: decoder.codingPath + [CodingKeys.crossfader], of: decoder)
    }
    permissions = values.entries(.permissions, of: decoder)
    apps = values.entries(.apps, of: decoder)
    preferences = values.entries(.preferences, of: decoder)
    positions = values.entries(.positions, of: decoder)
    seenDays = values.entries(.seenDays, of: decoder)
    patchesMade = values.part(.patchesMade, of: decoder) ?? []
    patchesTakenAway = values.part(.patchesTakenAway, of: decoder) ?? []
  }

  /// Writes everything but the permissions, which have a file of their own.
  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(strips, forKey: .strips)
    try values.encode(routes, forKey: .routes)
    try values.encode(sends, forKey: .sends)
    try values.encodeIfPresent(crossfader, forKey: .crossfader)
    try values.encode(apps, forKey: .apps)
    try values.encode(preferences, forKey: .preferences)
    try values.encode(positions, forKey: .positions)
    try values.encode(seenDays, forKey: .seenDays)
    try values.encode(patchesMade, forKey: .patchesMade)
    try values.encode(patchesTakenAway, forKey: .patchesTakenAway)
  }
}

extension KeptState {
  /// The days after which a program that was not there is forgotten.
  static let forgettingDays = 180
  /// The number of programs to keep, and of preferences of other sessions.
  static let programLimit = 500
  /// The number of answers to keep.
  ///
  /// They do not age, because a user gave them. A no counts more than a yes.
  static let permissionLimit = 2_000
  /// The number of patches of each kind to keep.
  static let patchLimit = 1_000

  /// Notes that these programs are there today, and forgets those that were not there for long, or are too many.
  mutating func note(present: [String], today: Int) {
    // A day that is still to come is a fault of the clock, or of the file.
    seenDays = seenDays.mapValues { min($0, today) }
    for name in present { seenDays[name] = today }
    for name in apps.keys where seenDays[name] == nil { seenDays[name] = today }
    let here = Set(present)
    // Those that are there come first, then the newest.
    func rank(_ name: String) -> (Int, Int, String) {
      (here.contains(name) ? 0 : 1, -(seenDays[name] ?? 0), name)
    }
    let kept = apps.keys.filter { today - (seenDays[$0] ?? today) <= Self.forgettingDays }
      .sorted { rank($0) < rank($1) }
      .prefix(Self.programLimit)
    let names = Set(kept)
    for name in apps.keys where !names.contains(name) { preferences[name] = nil }
    apps = apps.filter { names.contains($0.key) }
    seenDays = seenDays.filter { names.contains($0.key) }
    let others = Set(
      preferences.keys.filter { !names.contains($0) }.sorted().prefix(Self.programLimit)
    )
    preferences = preferences.filter { names.contains($0.key) || others.contains($0.key) }
    if permissions.count > Self.permissionLimit {
      let denials = permissions.keys.sorted {
        (permissions[$0] == .denied ? 0 : 1, $0) < (permissions[$1] == .denied ? 0 : 1, $1)
      }
      let answered = Set(denials.prefix(Self.permissionLimit))
      permissions = permissions.filter { answered.contains($0.key) }
    }
    answeredFiles = answeredFiles.filter { permissions[$0.key] == .granted }
    patchesMade = Set(patchesMade.sorted().prefix(Self.patchLimit))
    patchesTakenAway = Set(patchesTakenAway.sorted().prefix(Self.patchLimit))
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
///
/// Pure value: [any-thread].
struct KeptApp: Codable, Sendable, Equatable {
  private enum CodingKeys: String, CodingKey {
    case gainDB, isMuted, pan, graph, isCued, sends, placements, isPlacedByHand, session
  }

  /// The fader of its strip in dB; nil if no user moved it.
  var gainDB: Double?
  /// Whether its strip is muted; nil if no user changed that.
  var isMuted: Bool?
  /// The pan of its strip, −1…1; nil if no user moved it.
  var pan: Double?
  /// The graph's levels when users changed them; nil if unknown.
  var graph: KeptStart?
  /// Whether its strip is on the cue routes; nil if no user changed that.
  var isCued: Bool?
  /// The sends of its strip that a user changed, by route; nil without any.
  var sends: [String: KeptLevel]?
  /// The hardware ports at which each of its outputs, by short name, was heard.
  var placements: [String: [String]]?
  /// Whether its user, and not the program itself, chose them.
  var isPlacedByHand: Bool?
  /// Its last session.
  var session: KeptSession?

  init(
    gainDB: Double? = nil,
    isMuted: Bool? = nil,
    pan: Double? = nil,
    graph: KeptStart? = nil,
    isCued: Bool? = nil,
    sends: [String: KeptLevel]? = nil,
    placements: [String: [String]]? = nil,
    isPlacedByHand: Bool? = nil,
    session: KeptSession? = nil,
  ) {
    self.gainDB = gainDB
    self.isMuted = isMuted
    self.pan = pan
    self.graph = graph
    self.isCued = isCued
    self.sends = sends
    self.placements = placements
    self.isPlacedByHand = isPlacedByHand
    self.session = session
  }

  /// Reads the values; those that cannot be used are noted and left out.
  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    gainDB = values.part(.gainDB, of: decoder)
    isMuted = values.part(.isMuted, of: decoder)
    pan = values.part(.pan, of: decoder)
    graph = values.part(.graph, of: decoder)
    isCued = values.part(.isCued, of: decoder)
    let levels: [String: KeptLevel] = values.entries(.sends, of: decoder)
    sends = levels.isEmpty ? nil : levels
    placements = values.part(.placements, of: decoder)
    isPlacedByHand = values.part(.isPlacedByHand, of: decoder)
    session = values.part(.session, of: decoder)
  }
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
