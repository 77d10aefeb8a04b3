// SPDX-License-Identifier: MIT

internal import NIOConcurrencyHelpers

/// What a sample-playing engine does with its context, as with OpenAL's: suspended while the session is interrupted, and
/// restored at the end (INT-5).
///
/// ```swift
/// let context = AudioContext(suspend: { alcMakeContextCurrent(nil) }, restore: { alcMakeContextCurrent(mine) })
/// ```
public final class AudioContext: SessionParticipant {
  private let isSuspendedBox = NIOLockedValueBox(false)
  private let suspend: @Sendable () -> Void
  private let restore: @Sendable () -> Void

  /// Whether it is suspended now.
  public var isSuspended: Bool { isSuspendedBox.withLockedValue { $0 } }

  /// Follows the session from now on, for as long as it lives.
  ///
  /// - Parameters:
  ///   - suspend: Called when an interruption begins or media services are lost, on a thread of the session.
  ///   - restore: Called when it has ended and the session is active again, on a thread of the session.
  public init(
    suspend: @escaping @Sendable () -> Void,
    restore: @escaping @Sendable () -> Void,
  ) {
    self.suspend = suspend
    self.restore = restore
    SessionController.shared.participants.add(self)
  }

  func session(did event: SessionEvent) {
    switch event {
    case .interrupted, .mediaServicesLost: change(to: true)
    case .interruptionEnded(let shouldResume, let leavesPaused, _):
      guard shouldResume, !leavesPaused else { return }
      // Where the session cannot be active the context stays suspended.
      if (try? SessionController.shared.activate()) != nil { change(to: false) }
    case .routeChanged, .deactivated, .remoteCommand, .inputChanged: break
    }
  }

  /// Restores it after an end without `shouldResume`, once the app has activated the session.
  public func resume() { change(to: false) }

  private func change(to isSuspended: Bool) {
    let hasChanged = isSuspendedBox.withLockedValue { value in
      defer { value = isSuspended }
      return value != isSuspended
    }
    if hasChanged { isSuspended ? suspend() : restore() }
  }
}
