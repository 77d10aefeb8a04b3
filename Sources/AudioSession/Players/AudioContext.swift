// SPDX-License-Identifier: MIT

internal import NIOConcurrencyHelpers

/// Suspends a sample-playing engine, such as OpenAL's context, while the session is interrupted, and restores it at the end
/// (INT-5).
///
/// ```swift
/// let context = AudioContext(suspend: { alcMakeContextCurrent(nil) }, restore: { alcMakeContextCurrent(mine) })
/// ```
public final class AudioContext: SessionParticipant {
  private let isSuspendedBox = NIOLockedValueBox(false)
  private let suspend: @Sendable () -> Void
  private let restore: @Sendable () -> Void

  /// Whether the engine is suspended now.
  public var isSuspended: Bool { isSuspendedBox.withLockedValue { $0 } }

  /// Follows the session until the object is released. [any-thread]
  ///
  /// - Parameters:
  ///   - suspend: Called when an interruption begins or media services are lost, on a thread of the session.
  ///   - restore: Called when the interruption has ended and the session is active again, on a thread of the session.
  public init(
    suspend: @escaping @Sendable () -> Void,
    restore: @escaping @Sendable () -> Void,
  ) {
    self.suspend = suspend
    self.restore = restore
    SessionController.shared.participants.add(self)
  }

  /// Suspends or restores the engine with the session. [any-thread]
  func session(did event: SessionEvent) {
    switch event {
    case .interrupted, .mediaServicesLost: change(to: true)
    case .interruptionEnded(let shouldResume, let leavesPaused, _):
      guard shouldResume, !leavesPaused else { return }
      // If the session cannot be active, the engine stays suspended.
      if (try? SessionController.shared.activate()) != nil { change(to: false) }
    case .routeChanged, .deactivated, .remoteCommand, .inputChanged: break
    }
  }

  /// Restores the engine after an end without `shouldResume`; activate the session before. [any-thread]
  public func resume() { change(to: false) }

  private func change(to isSuspended: Bool) {
    let hasChanged = isSuspendedBox.withLockedValue { value in
      defer { value = isSuspended }
      return value != isSuspended
    }
    if hasChanged { isSuspended ? suspend() : restore() }
  }
}
