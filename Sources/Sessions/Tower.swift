// SPDX-License-Identifier: MIT

/// The control tower: decides who may sound, and says what the host has to do about it.
///
/// A pure function of state and event: no clock, no I/O, no JACK.
public struct Tower: Sendable {
  /// What the tower knows.
  public private(set) var state: TowerState

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
  /// [control-thread]
  public mutating func step(_ event: TowerEvent) -> [TowerEffect] {
    fatalError("unwritten")
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
