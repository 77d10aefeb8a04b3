// SPDX-License-Identifier: MIT

import CRealtime
import JACK
import Synchronization

/// Listens to a client's notifications for xruns and the end of the server.
///
/// Belongs to the control thread.
final class XrunWatch: Sendable {
  /// An xrun as the server reported it.
  struct Event {
    var atNanoseconds: UInt64
    var delayMicroseconds: Double
  }

  private struct State {
    var events: [Event] = []
    var shutdownReason: String?
  }

  private let state = Mutex(State())
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ notifications: AsyncStream<ClientNotification>) {
    let listener = Task { [weak self] in
      for await notification in notifications { self?.note(notification) }
    }
    task.withLock { $0 = listener }
  }

  deinit { stop() }

  /// Stops listening.
  func stop() { task.withLock { $0?.cancel() } }

  /// The xruns since the last call.
  func takeEvents() -> [Event] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Why the server has gone; nil while it is there.
  var shutdownReason: String? { state.withLock { $0.shutdownReason } }

  private func note(_ notification: ClientNotification) {
    switch notification {
    case .xrun(let delayMicroseconds, _):
      let now = realtime_now_nanoseconds()
      let event = Event(atNanoseconds: now, delayMicroseconds: Double(delayMicroseconds))
      state.withLock { $0.events.append(event) }
    case .shutdown(_, let reason):
      state.withLock { $0.shutdownReason = reason }
    default:
      break
    }
  }
}
