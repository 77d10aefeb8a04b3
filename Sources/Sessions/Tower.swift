// SPDX-License-Identifier: MIT

/// The control tower: decides who may sound, and says what the host has to do about it.
///
/// A pure function of state and event: no clock, no I/O, no JACK. Each event first changes the
/// facts (who is active, who is interrupted by whom, what is connected); then gates, ducks, capture
/// gates and hardware values are derived from all facts together, and what differs from before
/// becomes effects. So no order of events can leave a gate open or a duck behind.
public struct Tower: Sendable {
  /// What the tower knows.
  public internal(set) var state: TowerState

  /// The time of the event being taken in.
  var now: UInt64 = 0
  /// Effects that silence something: carried out first, so that nothing sounds twice.
  var closing: [TowerEffect] = []
  /// Effects that change routes and hardware, while what they concern is silent where it must be.
  var patching: [TowerEffect] = []
  /// Effects that let something be heard.
  var opening: [TowerEffect] = []
  /// Notifications, replies and log lines: an app is told after the engine acted (rule INT-1).
  var messages: [TowerEffect] = []
  /// Whether gates and ducks have to be derived anew.
  var needsLevels = false
  /// Whether the hardware values have to be derived anew.
  var needsHardware = false

  /// Makes a tower.
  ///
  /// - Parameter state: What it knows.
  public init(state: TowerState = TowerState()) {
    self.state = state
  }

  /// Takes an event in.
  ///
  /// - Parameter event: What happened.
  /// - Returns: What the host carries out, in this order.
  /// - Complexity: O(sessions + ports).
  /// [control-thread]
  public mutating func step(_ event: TowerEvent) -> [TowerEffect] {
    now = event.timeNanoseconds
    take(event.kind)
    if needsHardware { settleHardware() }
    if needsLevels { settleLevels() }
    needsHardware = false
    needsLevels = false
    closing.append(contentsOf: patching)
    closing.append(contentsOf: opening)
    closing.append(contentsOf: messages)
    let effects = closing
    closing = []
    patching.removeAll(keepingCapacity: true)
    opening.removeAll(keepingCapacity: true)
    messages.removeAll(keepingCapacity: true)
    return effects
  }

  /// The same as a function.
  ///
  /// - Parameters:
  ///   - state: What the tower knows.
  ///   - event: What happened.
  /// - Returns: What it knows then, and what the host carries out.
  /// [any-thread]
  public static func step(
    _ state: TowerState,
    _ event: TowerEvent
  ) -> (state: TowerState, effects: [TowerEffect]) {
    var tower = Tower(state: state)
    let effects = tower.step(event)
    return (tower.state, effects)
  }
}
