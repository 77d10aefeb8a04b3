// SPDX-License-Identifier: MIT

internal import Dispatch
internal import NIOConcurrencyHelpers

/// Calls the delegate of old sources, on the main thread.
final class DelegateCalls: Sendable {
  static let shared = DelegateCalls()

  /// What is called; made where the delegate's type is known.
  private struct Calls: Sendable {
    weak var delegate: (any AnyObject & Sendable)?
    var began: @Sendable () -> Void = {}
    var ended: @Sendable (Int) -> Void = { _ in }
  }

  private let calls = NIOLockedValueBox(Calls())

  var delegate: (any AnyObject & Sendable)? { calls.withLockedValue { $0.delegate } }

  @available(*, deprecated)
  func set(_ delegate: (any AVAudioSessionDelegate)?) {
    calls.withLockedValue { calls in
      calls.delegate = delegate
      calls.began = { [weak delegate] in delegate?.beginInterruption() }
      calls.ended = { [weak delegate] in delegate?.endInterruption(withFlags: $0) }
    }
  }

  func interruptionBegan() {
    let calls = calls.withLockedValue { $0 }
    DispatchQueue.main.async { calls.began() }
  }

  func interruptionEnded(flags: Int) {
    let calls = calls.withLockedValue { $0 }
    DispatchQueue.main.async { calls.ended(flags) }
  }
}
