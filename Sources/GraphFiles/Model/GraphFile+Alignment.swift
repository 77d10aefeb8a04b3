// SPDX-License-Identifier: MIT

extension GraphFile.Route {
  /// How a route is brought together with others of another latency.
  public enum Alignment: Sendable, Equatable {
    /// Not at all.
    case free
    /// Delayed by what the slowest of the routes to align is later.
    case automatic
    /// Delayed by hand, 0…500 ms.
    case delay(Duration)
  }
}
