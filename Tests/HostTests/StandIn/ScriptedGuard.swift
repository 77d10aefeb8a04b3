// SPDX-License-Identifier: MIT

import Synchronization

@testable import Host

/// A guard that notes its orders.
final class ScriptedGuard: GuardConnection, Sendable {
  private struct State {
    var isRunning = true
    var isStopped = false
    var isKilled = false
    var takesOrders = true
    var received: [GuardOrders] = []
    var wasInformed: Bool?
  }

  let pid: Int32
  private let state = Mutex(State())

  init(pid: Int32) { self.pid = pid }

  var isRunning: Bool {
    get { state.withLock { $0.isRunning } }
    set { state.withLock { $0.isRunning = newValue } }
  }

  var isStopped: Bool {
    get { state.withLock { $0.isStopped } }
    set { state.withLock { $0.isStopped = newValue } }
  }

  /// Whether it was killed.
  var isKilled: Bool { state.withLock { $0.isKilled } }

  func kill() { state.withLock { $0.isKilled = true } }

  var takesOrders: Bool {
    get { state.withLock { $0.takesOrders } }
    set { state.withLock { $0.takesOrders = newValue } }
  }

  /// All orders that it took.
  var received: [GuardOrders] { state.withLock { $0.received } }

  /// Whether it knew of the end; nil before ``end(isInformed:)``.
  var wasInformed: Bool? { state.withLock { $0.wasInformed } }

  func send(_ orders: GuardOrders) -> Bool {
    state.withLock { state in
      if state.takesOrders { state.received.append(orders) }
      return state.takesOrders
    }
  }

  func end(isInformed: Bool) async { state.withLock { $0.wasInformed = isInformed } }
}
