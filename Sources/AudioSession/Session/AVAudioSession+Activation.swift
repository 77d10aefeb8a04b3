// SPDX-License-Identifier: MIT

internal import Foundation

extension AVAudioSession {
  /// Makes the session active or inactive, and waits for the host's answer (ACT-1).
  ///
  /// - Throws: Why the host refuses: `insufficientPriority`, `cannotInterruptOthers`, `cannotStartPlaying`,
  ///   `resourceNotAvailable`; or `mediaServicesFailed` where no host answers in time.
  /// [control-thread]
  public func setActive(_ active: Bool) throws { try setActive(active, options: []) }

  /// Makes the session active or inactive, and waits for the host's answer (ACT-1, ACT-6).
  ///
  /// - Parameters:
  ///   - active: Whether it shall be active.
  ///   - options: `notifyOthersOnDeactivation` lets those that this session interrupted resume; without effect on
  ///     activation.
  /// - Throws: As ``setActive(_:)``; `isBusy` in older SDK versions where audio runs (ACT-5).
  /// [control-thread]
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    if active {
      try controller.activate()
    } else {
      try controller.deactivate(notifyOthers: options.contains(.notifyOthersOnDeactivation))
    }
  }

  /// Activates without blocking the caller.
  ///
  /// - Parameters:
  ///   - options: None yet.
  ///   - handler: Called once, on a thread of its own, with the error ``setActive(_:)`` would throw.
  /// [any-thread]
  public func activate(
    options: AVAudioSessionActivationOptions,
    completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void,
  ) {
    Self.detached(handler) { try AVAudioSession.sharedInstance().setActive(true) }
  }

  /// Activates without blocking a thread of the concurrency pool.
  ///
  /// - Throws: As ``setActive(_:)``.
  /// [any-thread]
  @discardableResult
  public func activate(options: AVAudioSessionActivationOptions = []) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      activate(options: options) { isActive, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: isActive)
        }
      }
    }
  }

  /// Deactivates without blocking the caller.
  ///
  /// - Parameters:
  ///   - options: `notifyOthersOnDeactivation` lets those that this session interrupted resume.
  ///   - handler: Called once, on a thread of its own, with the error ``setActive(_:options:)`` would throw.
  /// [any-thread]
  public func deactivate(
    options: AVAudioSessionDeactivationOptions,
    completionHandler handler: @escaping @Sendable (Bool, (any Error)?) -> Void,
  ) {
    Self.detached(handler) {
      try AVAudioSession.sharedInstance().setActive(
        false,
        options: SetActiveOptions(rawValue: options.rawValue),
      )
    }
  }

  /// Deactivates without blocking a thread of the concurrency pool.
  ///
  /// - Throws: As ``setActive(_:options:)``.
  /// [any-thread]
  @discardableResult
  public func deactivate(options: AVAudioSessionDeactivationOptions = []) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      deactivate(options: options) { isDone, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: isDone)
        }
      }
    }
  }

  private static func detached(
    _ handler: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ body: @escaping @Sendable () throws -> Void,
  ) {
    Thread.detachNewThread {
      do {
        try body()
        handler(true, nil)
      } catch {
        handler(false, error)
      }
    }
  }
}
