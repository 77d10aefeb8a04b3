// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import NIOConcurrencyHelpers
internal import SystemSupport

/// A session at a host: the link and the id that the host gave the session.
///
/// The session ends with the link (SES-6). [any-thread]
final class SessionConnection: Sendable {
  let link: HostLink
  let session: String
  /// The answers to requests that waited for the app's return.
  let lateAnswers: LateAnswers

  init(link: HostLink, session: String, lateAnswers: LateAnswers) {
    self.link = link
    self.session = session
    self.lateAnswers = lateAnswers
  }

  deinit { link.close() }

  /// Reads the state of the session.
  ///
  /// Waits for the host.
  func detail(until deadline: HostDeadline) throws(HostFault) -> (
    result: SessionDetail, order: Int64
  ) {
    try link.call(
      GetSession.self,
      GetSession.Params(session: session),
      until: deadline,
    )
  }
}

/// The answers to requests that waited for the app's return from the background (SYS-2).
///
/// An answer that arrives before a thread waits for it is kept. [any-thread]
final class LateAnswers: Sendable {
  private struct State {
    var answers: [UInt64: Result<Void, HostFault>] = [:]
    var waiting: [UInt64: MonotonicSemaphore] = [:]
  }

  /// The most answers that are kept without a thread that waits for them.
  private static let limit = 256

  private let state = NIOLockedValueBox(State())

  /// Keeps the answer that an event carries, or hands it to the thread that waits.
  ///
  /// Called on the link's thread.
  ///
  /// - Returns: Whether the event carried an answer.
  func take(_ event: ControlEvent) -> Bool {
    guard case .session(let notice) = event.payload,
      case .requestAnswered(let request, let error) = notice.content
    else { return false }
    state.withLockedValue { state in
      let waiter = state.waiting.removeValue(forKey: request)
      if waiter == nil, state.answers.count >= Self.limit { state.answers = [:] }
      state.answers[request] = error.map { .failure(.refused($0)) } ?? .success(())
      waiter?.signal()
    }
    return true
  }

  /// Waits for an answer for as long as the app is in the background.
  ///
  /// - Throws: The host's refusal, or `disconnected` when the link ends.
  func wait(for request: UInt64, on link: HostLink) throws(HostFault) {
    let semaphore = state.withLockedValue { state -> MonotonicSemaphore? in
      // When the link ends later, end() wakes this thread.
      guard state.answers[request] == nil, link.isOpen else { return nil }
      let semaphore = MonotonicSemaphore(value: 0)
      state.waiting[request] = semaphore
      return semaphore
    }
    semaphore?.wait()
    let answer = state.withLockedValue { $0.answers.removeValue(forKey: request) }
    try (answer ?? .failure(.disconnected)).get()
  }

  /// Forgets all answers and wakes all threads that wait, because the link has ended.
  func end() {
    state.withLockedValue { state in
      state.answers = [:]
      for waiter in state.waiting.values { waiter.signal() }
      state.waiting = [:]
    }
  }
}
