// SPDX-License-Identifier: MIT

/// The control tower: decides which sessions are heard, and gives the host the effects to carry out.
///
/// It is a pure function of state and event: no clock, no I/O, no JACK. Each event first changes the facts: which
/// sessions are active, which one interrupts which, what is connected. Then gates, ducks, capture gates and hardware
/// values are derived from all facts together, and each difference becomes an effect. So no order of events can leave a
/// gate open or a duck behind. Pure value: [any-thread].
public struct Tower: Sendable {
  /// All facts that the tower has.
  public internal(set) var state: TowerState

  /// The time of the present event.
  var now: UInt64 = 0
  /// Effects that silence something.
  ///
  /// They are carried out first, so that sound is never doubled.
  var closing: [TowerEffect] = []
  /// Effects that change routes and hardware.
  ///
  /// They are carried out while the sessions concerned are silent.
  var patching: [TowerEffect] = []
  /// Effects that let something be heard.
  var opening: [TowerEffect] = []
  /// Notifications, replies and log lines.
  ///
  /// An app is notified after the engine acted (rule INT-1).
  var messages: [TowerEffect] = []
  /// Whether gates and ducks have to be derived anew.
  var needsLevels = false
  /// Whether the hardware values have to be derived anew.
  var needsHardware = false

  /// Makes a tower.
  ///
  /// - Parameter state: The facts to start with.
  public init(state: TowerState = TowerState()) {
    self.state = state
  }

  /// The effects of an event.
  ///
  /// - Parameter event: The event.
  /// - Returns: The effects for the host, to be carried out in this order.
  /// - Complexity: O(sessions + ports).
  /// [control-thread]
  public mutating func step(_ event: TowerEvent) -> [TowerEffect] {
    now = event.timeNanoseconds
    take(event.kind)
    if needsHardware { settleHardware() }
    // The gate of a prompt depends on its configuration and on the others also while it is not active.
    if needsLevels || state.hasIdlePrompt { settleLevels() }
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
  ///   - state: The facts before the event.
  ///   - event: The event.
  /// - Returns: The facts after the event, and the effects for the host.
  public static func step(
    _ state: TowerState,
    _ event: TowerEvent
  ) -> (state: TowerState, effects: [TowerEffect]) {
    var tower = Tower(state: state)
    let effects = tower.step(event)
    return (tower.state, effects)
  }
}

/// The settings of the graph file for the tower.
///
/// Pure value: [any-thread].
public struct TowerConfiguration: Hashable, Codable, Sendable {
  /// The fade of gates, in milliseconds.
  public var fadeMilliseconds: Double = 5
  /// The gain of lowered sessions in dB, below 0 (rule ACT-3).
  public var duckGainDB: Double = -14
  /// The duration of lowering, in milliseconds.
  public var duckMilliseconds: Double = 200
  /// The duration of restoring, in milliseconds; short enough to be over 100 ms after the end.
  public var restoreMilliseconds: Double = 80
  /// The highest class each program may use; others may use `app` only (rule ACT-4).
  public var priorityClasses: [String: PriorityClass] = [:]
  /// The permission of each named program without a user's answer (rule PRM-1).
  public var permissions: [String: RecordPermission] = [:]
  /// The permission of all other programs without an answer (rule PRM-1).
  public var defaultPermission = RecordPermission.undetermined
  /// Whether preferences of an active session take effect at once, not at the next activation (rule HW-1).
  public var appliesPreferencesAtOnce = false
  /// The number of consecutive times that the host restores a value that another client changed
  /// (rule HW-2).
  public var reassertLimit = 3
  /// The time without such a change after which the count starts again, in nanoseconds.
  public var reassertWindowNanoseconds: UInt64 = 10_000_000_000
  /// The time for which an active session may be silent before it is listed, in nanoseconds (rule
  /// ACT-8).
  public var silentAfterNanoseconds: UInt64 = 60_000_000_000
  /// The time for which a player may be silent and still be now playing, in nanoseconds (rule VOL-3).
  public var pauseBetweenPiecesNanoseconds: UInt64 = 5_000_000_000
  /// The number of requests of a suspended app that may wait (rule SYS-2).
  public var waitingRequestLimit = 64

  /// The defaults.
  public init() {}
}
