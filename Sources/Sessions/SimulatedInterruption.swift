// SPDX-License-Identifier: MIT

/// A simulated interruption that is going on (rule SYS-4).
public struct SimulatedInterruption: Hashable, Codable, Sendable {
  /// The class, above `app`.
  public internal(set) var priorityClass: PriorityClass
  /// When it began, on the clock of the events.
  public internal(set) var sinceNanoseconds: UInt64
  /// A call that only rings: it spares those that asked for it.
  public internal(set) var isRinging: Bool
}
