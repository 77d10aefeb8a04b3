// SPDX-License-Identifier: MIT

/// What the connections together want to be told.
public struct SubscriptionDemand: Hashable, Sendable {
  /// The shortest interval at which some connection wants meters, `nil` when none wants them.
  public var metersIntervalMilliseconds: Int?
  /// How many connections want events.
  public var eventSubscribers: Int

  /// Makes a demand.
  public init(metersIntervalMilliseconds: Int? = nil, eventSubscribers: Int = 0) {
    self.metersIntervalMilliseconds = metersIntervalMilliseconds
    self.eventSubscribers = eventSubscribers
  }
}
