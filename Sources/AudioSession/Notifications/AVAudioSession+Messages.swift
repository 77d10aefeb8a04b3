// SPDX-License-Identifier: MIT

public import Foundation

extension AVAudioSession {
  /// The message of ``AVAudioSession/didBecomeActiveNotification``.
  ///
  /// Pure value: [any-thread].
  public struct DidBecomeActiveMessage: NotificationCenter.MainActorMessage {
    /// The sender of the message.
    public typealias Subject = AVAudioSession

    /// The name of the notification.
    public static var name: Notification.Name { AVAudioSession.didBecomeActiveNotification }

    /// Makes the message from a notification.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> DidBecomeActiveMessage? {
      DidBecomeActiveMessage()
    }

    /// Makes the notification from a message.
    @MainActor
    public static func makeNotification(_ message: DidBecomeActiveMessage) -> Notification {
      Notification(name: name, object: AVAudioSession.sharedInstance())
    }
  }

  /// The message of ``AVAudioSession/didBecomeInactiveNotification``.
  ///
  /// Pure value: [any-thread].
  public struct DidBecomeInactiveMessage: NotificationCenter.MainActorMessage {
    /// The sender of the message.
    public typealias Subject = AVAudioSession

    /// The name of the notification.
    public static var name: Notification.Name { AVAudioSession.didBecomeInactiveNotification }

    /// The cause of the deactivation.
    public let deactivationResult: DeactivationResult

    /// Makes the message from a notification.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> DidBecomeInactiveMessage? {
      let key = AVAudioSession.deactivationContextKey
      guard let context = notification.userInfo?[key] as? DeactivationContext else { return nil }
      return DidBecomeInactiveMessage(
        deactivationResult: context.interruptionContext.map { .systemInterruption($0) }
          ?? .appDeactivated
      )
    }

    /// Makes the notification from a message.
    @MainActor
    public static func makeNotification(_ message: DidBecomeInactiveMessage) -> Notification {
      let context =
        switch message.deactivationResult {
        case .systemInterruption(let interruption): DeactivationContext(.system, interruption)
        case .appDeactivated: DeactivationContext(.app, nil)
        }
      return Notification(
        name: name,
        object: AVAudioSession.sharedInstance(),
        userInfo: [AVAudioSession.deactivationContextKey: context],
      )
    }
  }

  /// The message of ``AVAudioSession/resumptionRecommendationNotification``.
  ///
  /// Pure value: [any-thread].
  public struct ResumptionRecommendationMessage: NotificationCenter.MainActorMessage {
    /// The sender of the message.
    public typealias Subject = AVAudioSession

    /// The name of the notification.
    public static var name: Notification.Name {
      AVAudioSession.resumptionRecommendationNotification
    }

    /// Whether the app should resume.
    public let recommendation: ResumptionRecommendation

    /// Makes the message from a notification.
    @MainActor
    public static func makeMessage(
      _ notification: Notification
    ) -> ResumptionRecommendationMessage? {
      let key = AVAudioSession.resumptionContextKey
      guard let context = notification.userInfo?[key] as? ResumptionContext else { return nil }
      return ResumptionRecommendationMessage(recommendation: context.recommendation)
    }

    /// Makes the notification from a message.
    @MainActor
    public static func makeNotification(
      _ message: ResumptionRecommendationMessage
    ) -> Notification {
      Notification(
        name: name,
        object: AVAudioSession.sharedInstance(),
        userInfo: [
          AVAudioSession.resumptionContextKey: ResumptionContext(message.recommendation)
        ],
      )
    }
  }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.DidBecomeActiveMessage> {
  /// The identifier of ``AVAudioSession/DidBecomeActiveMessage``.
  public static var didBecomeActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.DidBecomeInactiveMessage> {
  /// The identifier of ``AVAudioSession/DidBecomeInactiveMessage``.
  public static var didBecomeInactive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.ResumptionRecommendationMessage>
{
  /// The identifier of ``AVAudioSession/ResumptionRecommendationMessage``.
  public static var resumptionRecommendation: Self { .init() }
}

extension AVAudioSession {
  /// The circumstances of an interruption.
  ///
  /// Immutable: [any-thread].
  open class InterruptionContext: NSObject, @unchecked Sendable {
    /// The reason of the interruption.
    public let reason: InterruptionReason

    init(_ reason: InterruptionReason) { self.reason = reason }
  }

  /// The circumstances of a deactivation.
  ///
  /// Immutable: [any-thread].
  open class DeactivationContext: NSObject, @unchecked Sendable {
    /// The side that deactivated the session: the app or the system.
    public let source: DeactivationSource
    /// The interruption; nil if the app itself deactivated the session.
    public let interruptionContext: InterruptionContext?

    init(_ source: DeactivationSource, _ interruptionContext: InterruptionContext?) {
      self.source = source
      self.interruptionContext = interruptionContext
    }
  }

  /// The recommendation at the end of an interruption.
  ///
  /// Immutable: [any-thread].
  open class ResumptionContext: NSObject, @unchecked Sendable {
    /// Whether the app should resume.
    public let recommendation: ResumptionRecommendation

    init(_ recommendation: ResumptionRecommendation) { self.recommendation = recommendation }
  }

  /// The cause of a deactivation.
  public enum DeactivationResult: Sendable {
    /// The host interrupted it.
    case systemInterruption(InterruptionContext)
    /// The app deactivated it.
    case appDeactivated
  }

  /// The side that deactivated a session.
  public enum DeactivationSource: Int, Sendable {
    /// The app itself.
    case app = 1
    /// The host, in place of the SDK's system.
    case system = 2
  }

  /// Whether the app should resume after an interruption.
  public enum ResumptionRecommendation: Int, Sendable {
    /// Stay paused until the user acts.
    case shouldNotResume = 0
    /// Resume.
    case shouldResume = 1
  }
}
