// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing

extension MixSpec {
  /// Sends a session's strip to these routes only.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - routes: The routes in the order of the session's route.
  ///   - isFlat: Whether the strip's channels are the flat channel space of `multiRoute`: those of the first
  ///     route, then those of the second, and so on. A strip with at most the channels of the first route goes
  ///     to every route instead.
  ///   - levels: The levels of new sends, by route; 0 dB for the others.
  mutating func route(
    _ strip: String,
    to routes: [String],
    isFlat: Bool,
    levels: [String: GraphFile.SendLevel] = [:],
  ) {
    let channels = strips.first { $0.id == strip }?.channels ?? 0
    var offset = 0
    sends.removeAll { $0.strip == strip && !routes.contains($0.route) }
    let counts = routes.map { name in self.routes.first { $0.id == name }?.channels ?? 0 }
    let isSpread = isFlat && channels > (counts.first ?? 0)
    for (name, count) in zip(routes, counts) {
      let matrix = isSpread ? Self.block(count, of: channels, from: offset) : nil
      offset += count
      if let index = sends.firstIndex(where: { $0.strip == strip && $0.route == name }) {
        if isSpread { sends[index].matrix = matrix }
      } else {
        send(strip, to: name, matrix, levels[name])
      }
    }
  }

  private mutating func send(
    _ strip: String,
    to route: String,
    _ matrix: [[Float]]?,
    _ level: GraphFile.SendLevel?,
  ) {
    let level = level ?? GraphFile.SendLevel()
    sends.append(
      SendSpec(
        strip: strip,
        route: route,
        gainDB: level.gainDB,
        isMuted: level.isMuted,
        matrix: matrix,
      )
    )
  }

  /// Sends a strip to these routes only, by a matrix for each.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - routes: The routes.
  ///   - matrices: The matrix for each route; nil for the usual channels.
  ///   - levels: The levels of new sends, by route; 0 dB for the others.
  mutating func place(
    _ strip: String,
    to routes: [String],
    _ matrices: [[[Float]]?],
    levels: [String: GraphFile.SendLevel] = [:],
  ) {
    sends.removeAll { $0.strip == strip && !routes.contains($0.route) }
    let channels = strips.first { $0.id == strip }?.channels ?? 0
    for (name, wanted) in zip(routes, matrices) {
      // A pan acts on sends with the usual channels only.
      let count = self.routes.first { $0.id == name }?.channels ?? 0
      let usual = SendSpec.defaultMatrix(stripChannels: channels, routeChannels: count)
      let matrix = wanted == usual ? nil : wanted
      if let index = sends.firstIndex(where: { $0.strip == strip && $0.route == name }) {
        sends[index].matrix = matrix
      } else {
        send(strip, to: name, matrix, levels[name])
      }
    }
  }

  private static func block(_ rows: Int, of columns: Int, from offset: Int) -> [[Float]] {
    (0..<rows).map { row in (0..<columns).map { $0 == offset + row ? 1 : 0 } }
  }
}
