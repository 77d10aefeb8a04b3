// SPDX-License-Identifier: MIT

internal import GraphFiles

/// The levels that the graph gave a program's strip when its user changed them.
struct KeptStart: Codable, Sendable, Equatable {
  /// The gain in dB.
  var gainDB: Double
  /// Whether it was muted.
  var isMuted: Bool
  /// The pan, −1…1; nil without one.
  var pan: Double?
}

/// Pure values: [any-thread].
extension KeptApp {
  /// The levels with which its strip starts.
  ///
  /// - Parameter start: The graph's; an edit of the graph counts more than what a user did before it.
  /// - Returns: The graph's levels with the user's changes.
  func levels(under start: GraphFile.StartLevels) -> GraphFile.StartLevels {
    var levels = start
    let graph = graph ?? KeptStart(start)
    if let gainDB, graph.gainDB == start.gainDB { levels.gainDB = gainDB }
    if let isMuted, graph.isMuted == start.isMuted { levels.isMuted = isMuted }
    if let pan, graph.pan == start.pan { levels.pan = pan }
    for (route, level) in sends ?? [:] {
      let own = start.sends[route] ?? GraphFile.SendLevel()
      guard level.isFor(own.gainDB, own.isMuted) else { continue }
      levels.sends[route] = GraphFile.SendLevel(gainDB: level.gainDB, isMuted: level.isMuted)
    }
    return levels
  }

  /// Keeps the levels that are not the graph's.
  mutating func take(_ level: ProgramSnapshot.Level) {
    let start = level.start
    gainDB = level.gainDB == start.gainDB ? nil : level.gainDB
    isMuted = level.isMuted == start.isMuted ? nil : level.isMuted
    pan = level.pan == start.pan ? nil : level.pan ?? 0
    graph = gainDB == nil && isMuted == nil && pan == nil ? nil : KeptStart(start)
    isCued = level.isCued
    let changed = level.sends.compactMap { route, level in
      let own = start.sends[route] ?? GraphFile.SendLevel()
      return level == own
        ? nil
        : (
          route,
          KeptLevel(
            gainDB: level.gainDB,
            isMuted: level.isMuted,
            graphGainDB: own.gainDB,
            isMutedByGraph: own.isMuted,
          )
        )
    }
    sends = changed.isEmpty ? nil : Dictionary(uniqueKeysWithValues: changed)
  }
}

/// Pure values: [any-thread].
extension ProgramSnapshot.Level {
  /// Whether its user has set any of its levels.
  var isByHand: Bool { levels != start }

  /// The present levels as a graph would have them.
  var levels: GraphFile.StartLevels {
    var levels = start
    levels.gainDB = gainDB
    levels.isMuted = isMuted
    // A graph cannot take a pan away, but set it to the middle.
    levels.pan = pan ?? (start.pan == nil ? nil : 0)
    for (route, level) in sends where level != start.sends[route] ?? GraphFile.SendLevel() {
      levels.sends[route] = level
    }
    return levels
  }
}

extension KeptStart {
  fileprivate init(_ start: GraphFile.StartLevels) {
    self.init(gainDB: start.gainDB, isMuted: start.isMuted, pan: start.pan)
  }
}
