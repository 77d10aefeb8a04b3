// SPDX-License-Identifier: MIT

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
  mutating func route(_ strip: String, to routes: [String], isFlat: Bool) {
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
        sends.append(SendSpec(strip: strip, route: name, matrix: matrix))
      }
    }
  }

  /// Sends a strip to these routes only, by a matrix for each.
  ///
  /// - Parameters:
  ///   - strip: The strip's id.
  ///   - routes: The routes.
  ///   - matrices: The matrix for each route; nil for the usual channels.
  mutating func place(_ strip: String, to routes: [String], _ matrices: [[[Float]]?]) {
    sends.removeAll { $0.strip == strip && !routes.contains($0.route) }
    for (name, matrix) in zip(routes, matrices) {
      if let index = sends.firstIndex(where: { $0.strip == strip && $0.route == name }) {
        sends[index].matrix = matrix
      } else {
        sends.append(SendSpec(strip: strip, route: name, matrix: matrix))
      }
    }
  }

  private static func block(_ rows: Int, of columns: Int, from offset: Int) -> [[Float]] {
    (0..<rows).map { row in (0..<columns).map { $0 == offset + row ? 1 : 0 } }
  }
}
