// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Dispatch
internal import NIOConcurrencyHelpers

/// What came of requests that waited for the app's return from the background (SYS-2).
///
/// An answer may come before somebody waits for it: it is kept then.
final class LateAnswers: Sendable {
  private struct State {
    var answers: [UInt64: Result<Void, HostFault>] = [:]
    var waiting: [UInt64: DispatchSemaphore] = [:]
  }

  /// Answers that nobody asks for are forgotten when there are more of them.
  private static let limit = 256

  private let state = NIOLockedValueBox(State())

  /// Takes an answer in, on the link's thread.
  ///
  /// - Returns: Whether the event was one.
  func take(_ event: ControlEvent) -> Bool {
    guard event.details["notification"] == .string("requestAnswered"),
      case .integer(let number)? = event.details["request"]
    else { return false }
    let error = event.details["error"].flatMap(ControlError.init(jsonValue:))
    state.withLockedValue { state in
      let request = UInt64(number)
      let waiter = state.waiting.removeValue(forKey: request)
      if waiter == nil, state.answers.count >= Self.limit { state.answers = [:] }
      state.answers[request] = error.map { .failure(.refused($0)) } ?? .success(())
      waiter?.signal()
    }
    return true
  }

  /// Waits for an answer, however long the app is away.
  ///
  /// - Throws: What the request was refused for; `disconnected` where the host is gone.
  func wait(for request: UInt64, on link: HostLink) throws(HostFault) {
    let semaphore = state.withLockedValue { state -> DispatchSemaphore? in
      // A link that ends later wakes who waits.
      guard state.answers[request] == nil, link.isOpen else { return nil }
      let semaphore = DispatchSemaphore(value: 0)
      state.waiting[request] = semaphore
      return semaphore
    }
    semaphore?.wait()
    let answer = state.withLockedValue { $0.answers.removeValue(forKey: request) }
    try (answer ?? .failure(.disconnected)).get()
  }

  /// The host is gone, and its answers with it.
  func end() {
    state.withLockedValue { state in
      state.answers = [:]
      for waiter in state.waiting.values { waiter.signal() }
      state.waiting = [:]
    }
  }
}
