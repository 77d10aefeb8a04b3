// SPDX-License-Identifier: MIT

import ControlProtocol
import Sessions

/// A rehearsal as `multiroute rehearse --json` prints it.
///
/// Pure values: [any-thread].
struct RehearsalReport: Encodable {
  /// One session at one moment, with the names that `status --json` has.
  struct State: Encodable {
    let id: String
    let app: String
    let state: Standing.State
    let active: Bool
    let interruptedBy: SessionInterrupter?
    let duckedBy: [String]
    let duckGainDB: Double
    let rule: RuleID?
    let text: String

    init(_ standing: Standing) {
      id = standing.name
      app = standing.app
      state = standing.state
      active = standing.isActive
      interruptedBy = standing.interruptedBy.first.map { interrupter in
        switch interrupter {
        case .session: .session(standing.interruptedByNames.first ?? "")
        case .simulated(let priorityClass): .simulated(priorityClass)
        case .background: .background
        case .microphoneMute: .microphoneMute
        case .routeDisconnect: .routeDisconnect
        }
      }
      duckedBy = standing.duckedBy.map { [$0] } ?? []
      duckGainDB = standing.duckGainDB
      rule = standing.rule
      text = standing.phrase
    }
  }

  /// One event of the log, with the sessions that it changes.
  struct Event: Encodable {
    let number: Int
    let seconds: Double
    let event: String
    let changes: [Change]
    let decisions: [String]
  }

  /// A session that is heard otherwise than before; without `after` it has ended.
  struct Change: Encodable {
    let id: String
    let before: State?
    let after: State?
  }

  /// A session that two policies treat differently from an event on.
  struct Difference: Encodable {
    let number: Int
    let seconds: Double
    let event: String
    let id: String
    let over: Bool
    let first: State?
    let second: State?
  }

  let graph: String
  let against: String?
  let events: [Event]
  /// How every session is heard after the last event.
  let sessions: [State]
  let differences: [Difference]?

  init(graph: String, against: String?, rehearsal: Rehearsal, comparison: RehearsalComparison?) {
    self.graph = graph
    self.against = against
    events = rehearsal.moments.map { moment in
      Event(
        number: moment.number,
        seconds: Double(moment.offsetNanoseconds) / 1e9,
        event: moment.event,
        changes: moment.changes.map {
          Change(
            id: $0.name,
            before: $0.before.map { State($0) },
            after: $0.after.map { State($0) }
          )
        },
        decisions: moment.decisions.map(\.description),
      )
    }
    sessions = rehearsal.moments.last?.standings.map { State($0) } ?? []
    differences = comparison?.differences.map {
      Difference(
        number: $0.number,
        seconds: Double($0.offsetNanoseconds) / 1e9,
        event: $0.event,
        id: $0.name,
        over: $0.isOver,
        first: $0.first.map { State($0) },
        second: $0.second.map { State($0) },
      )
    }
  }
}
