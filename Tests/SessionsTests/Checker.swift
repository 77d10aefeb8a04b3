// SPDX-License-Identifier: MIT

import Sessions

/// Runs sequences against the invariants, and shrinks those that fail.
struct Checker {
  /// The tower under test, or a copy with a fault planted.
  typealias Step = (inout Tower, TowerEvent) -> [TowerEffect]

  /// The classes the programs of the random events may use.
  static let start: TowerState = {
    var configuration = TowerConfiguration()
    configuration.priorityClasses = ["phone": .phone, "alarm": .alarm, "assistant": .assistant]
    configuration.reassertLimit = 1
    return TowerState(configuration: configuration)
  }()

  var step: Step = { tower, event in tower.step(event) }

  /// The invariant that a sequence breaks; nil when all hold.
  func violation(_ events: [TowerEvent]) -> String? {
    var tower = Tower(state: Self.start)
    var invariants = Invariants()
    var time: UInt64 = 0
    for event in events {
      time = event.timeNanoseconds
      if let violation = run(event, &tower, &invariants) { return violation }
    }
    while let last = tower.state.sessions.last {
      let event = TowerEvent(
        timeNanoseconds: time,
        .sessionClosed(session: last.id, cause: .died)
      )
      if let violation = run(event, &tower, &invariants) { return violation }
    }
    return invariants.checkEnd()
  }

  private func run(
    _ event: TowerEvent,
    _ tower: inout Tower,
    _ invariants: inout Invariants
  ) -> String? {
    let before = Invariants.Standing(event, tower.state)
    let effects = step(&tower, event)
    return invariants.check(event, effects, before: before, tower.state)
  }

  /// A shortest list of events that still breaks an invariant.
  func shrink(_ events: [TowerEvent]) -> [TowerEvent] {
    var events = events
    var length = events.count / 2
    while length > 0 {
      var start = 0
      while start + length <= events.count {
        var shorter = events
        shorter.removeSubrange(start..<start + length)
        if violation(shorter) != nil { events = shorter } else { start += length }
      }
      length = events.count < length * 2 ? min(length - 1, events.count / 2) : length - 1
    }
    return events
  }
}
