// SPDX-License-Identifier: MIT

/// A run of the tower that can be saved and replayed: a start and the events after it.
public struct EventLog: Hashable, Sendable {
  /// The state before the first event.
  public let start: TowerState
  /// The events, oldest first.
  public private(set) var events: [TowerEvent]

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - start: The state before the first event.
  ///   - events: The events, oldest first.
  public init(start: TowerState, events: [TowerEvent] = []) {
    self.start = start
    self.events = events
  }

  /// Adds an event.
  ///
  /// - Parameter event: The event.
  public mutating func append(_ event: TowerEvent) {
    events.append(event)
  }

  /// Runs the tower over the events.
  ///
  /// - Returns: The effects of each event, and the state after the last one.
  public func replay() -> (effects: [[TowerEffect]], state: TowerState) {
    var tower = Tower(state: start)
    let effects = events.map { tower.step($0) }
    return (effects, tower.state)
  }
}
