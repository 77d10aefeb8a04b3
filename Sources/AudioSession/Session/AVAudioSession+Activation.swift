// SPDX-License-Identifier: MIT

internal import Foundation
internal import SystemSupport

extension AVAudioSession {
  /// Makes the session active or inactive, and waits for the host's answer (ACT-1).
  ///
  /// - Throws: The host's refusal: `insufficientPriority`, `cannotInterruptOthers`, `cannotStartPlaying`,
  ///   `resourceNotAvailable`; or `mediaServicesFailed` if no host answers in time.
  /// [control-thread]
  public func setActive(_ active: Bool) throws { try setActive(active, options: []) }

  /// Makes the session active or inactive, and waits for the host's answer (ACT-1, ACT-6).
  ///
  /// - Parameters:
  ///   - active: True to activate, false to deactivate.
  ///   - options: `notifyOthersOnDeactivation` tells the sessions that this one interrupted to resume; without
  ///     effect on activation.
  /// - Throws: As ``setActive(_:)``; `isBusy` while audio runs, with the behaviour of older SDK versions (ACT-5).
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
  ///   - options: There are none yet.
  ///   - handler: Called once, on a thread made for it, with the error that ``setActive(_:)`` would throw.
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
  ///   - options: `notifyOthersOnDeactivation` tells the sessions that this one interrupted to resume.
  ///   - handler: Called once, on a thread made for it, with the error that ``setActive(_:options:)`` would throw.
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
    let hasThread = BackgroundThread.start(name: "av-session") {
      do {
        try body()
        handler(true, nil)
      } catch {
        handler(false, error)
      }
    }
    if !hasThread {
      handler(false, NSError.session(.unspecified, "the system has no thread", rule: "ACT-1"))
    }
  }

  /// The effect of a deactivation on other sessions.
  ///
  /// Pure value: [any-thread].
  public struct SetActiveOptions: OptionSet, Hashable, Sendable {
    /// The SDK's bits.
    public let rawValue: UInt

    /// Makes a set from the SDK's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The sessions that this one interrupted receive `shouldResume` (ACT-6).
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }
}

/// Options of `AVAudioSession.activate(options:)`; there are none yet.
///
/// Pure value: [any-thread].
public struct AVAudioSessionActivationOptions: OptionSet, Hashable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt

  /// Makes a set from the SDK's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

}

/// Options of `AVAudioSession.deactivate(options:)`.
///
/// Pure value: [any-thread].
public struct AVAudioSessionDeactivationOptions: OptionSet, Hashable, Sendable {
  /// The SDK's bits.
  public let rawValue: UInt

  /// Makes a set from the SDK's bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The sessions that this one interrupted receive `shouldResume` (ACT-6).
  public static let notifyOthersOnDeactivation = AVAudioSessionDeactivationOptions(rawValue: 1)
}
