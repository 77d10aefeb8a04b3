// SPDX-License-Identifier: MIT

internal import Mixing

extension KeptState {
  /// The most changes that are told one by one.
  private static let toldChanges = 6

  /// The changes of users that are heard from the start, and those of programs that may come, in words.
  ///
  /// - Parameters:
  ///   - graph: The mix of the graph.
  ///   - start: The first mix.
  /// - Returns: The changes, the first ones one by one.
  func words(from graph: MixSpec, to start: MixSpec) -> [String] {
    var words: [String] = []
    if start.crossfader.position != graph.crossfader.position {
      words.append("crossfader \(start.crossfader.position)")
    }
    for (now, before) in zip(start.strips, graph.strips) {
      words += Self.words("strip \(now.id)", now.level, insteadOf: before.level)
    }
    for (now, before) in zip(start.routes, graph.routes) {
      words += Self.words("route \(now.id)", now.level, insteadOf: before.level)
    }
    for (now, before) in zip(start.sends, graph.sends) {
      words += Self.words("send \(now.strip) to \(now.route)", now.level, insteadOf: before.level)
    }
    for (name, app) in apps.sorted(by: { $0.key < $1.key }) {
      if app.isMuted == true {
        words.append("program \(name) muted")
      } else if let gainDB = app.gainDB {
        words.append("program \(name) \(gainDB) dB")
      }
    }
    guard words.count > Self.toldChanges else { return words }
    return words.prefix(Self.toldChanges) + ["\(words.count - Self.toldChanges) more"]
  }

  private static func words(_ name: String, _ now: Level, insteadOf before: Level) -> [String] {
    guard now != before else { return [] }
    if now.isMuted { return ["\(name) muted"] }
    return ["\(name) \(now.gainDB) dB" + (before.isMuted ? ", not muted" : "")]
  }
}

private struct Level: Equatable {
  let gainDB: Double
  let isMuted: Bool
}

extension StripSpec {
  fileprivate var level: Level { Level(gainDB: faderDB, isMuted: isMuted) }
}

extension RouteSpec {
  fileprivate var level: Level { Level(gainDB: gainDB, isMuted: isMuted) }
}

extension SendSpec {
  fileprivate var level: Level { Level(gainDB: gainDB, isMuted: isMuted) }
}
