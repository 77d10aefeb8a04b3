// SPDX-License-Identifier: MIT

extension SendSpec {
  /// The coefficients of a send that has no matrix of its own; see ``matrix``.
  ///
  /// - Parameters:
  ///   - stripChannels: Channels of the strip, 1 or more.
  ///   - routeChannels: Channels of the route, 1 or more.
  /// - Returns: A row for each route channel with a column for each strip channel.
  /// [any-thread]
  public static func defaultMatrix(stripChannels: Int, routeChannels: Int) -> [[Float]] {
    (0..<routeChannels).map { row in
      (0..<stripChannels).map { column in
        MixSpec.defaultCoefficient(column, of: stripChannels, row, of: routeChannels)
      }
    }
  }
}
