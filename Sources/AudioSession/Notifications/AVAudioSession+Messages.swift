// SPDX-License-Identifier: MIT

public import Foundation

extension AVAudioSession {
  /// The session is active.
  public struct DidBecomeActiveMessage: NotificationCenter.MainActorMessage {
    /// Whose message it is.
    public typealias Subject = AVAudioSession

    /// The notification that it stands for.
    public static var name: Notification.Name { AVAudioSession.didBecomeActiveNotification }

    /// Reads the notification.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> DidBecomeActiveMessage? {
      DidBecomeActiveMessage()
    }

    /// Writes the notification.
    @MainActor
    public static func makeNotification(_ message: DidBecomeActiveMessage) -> Notification {
      Notification(name: name, object: AVAudioSession.sharedInstance())
    }
  }

  /// The session is inactive.
  public struct DidBecomeInactiveMessage: NotificationCenter.MainActorMessage {
    /// Whose message it is.
    public typealias Subject = AVAudioSession

    /// The notification that it stands for.
    public static var name: Notification.Name { AVAudioSession.didBecomeInactiveNotification }

    /// How it became inactive.
    public let deactivationResult: DeactivationResult

    /// Reads the notification.
    @MainActor
    public static func makeMessage(_ notification: Notification) -> DidBecomeInactiveMessage? {
      let key = AVAudioSession.deactivationContextKey
      guard let context = notification.userInfo?[key] as? DeactivationContext else { return nil }
      return DidBecomeInactiveMessage(
        deactivationResult: context.interruptionContext.map { .systemInterruption($0) }
          ?? .appDeactivated
      )
    }

    /// Writes the notification.
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

  /// Whether to go on after an interruption.
  public struct ResumptionRecommendationMessage: NotificationCenter.MainActorMessage {
    /// Whose message it is.
    public typealias Subject = AVAudioSession

    /// The notification that it stands for.
    public static var name: Notification.Name {
      AVAudioSession.resumptionRecommendationNotification
    }

    /// Whether to go on.
    public let recommendation: ResumptionRecommendation

    /// Reads the notification.
    @MainActor
    public static func makeMessage(
      _ notification: Notification
    ) -> ResumptionRecommendationMessage? {
      let key = AVAudioSession.resumptionContextKey
      guard let context = notification.userInfo?[key] as? ResumptionContext else { return nil }
      return ResumptionRecommendationMessage(recommendation: context.recommendation)
    }

    /// Writes the notification.
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
  /// The session is active.
  public static var didBecomeActive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.DidBecomeInactiveMessage> {
  /// The session is inactive.
  public static var didBecomeInactive: Self { .init() }
}

extension NotificationCenter.MessageIdentifier
where
  Self == NotificationCenter.BaseMessageIdentifier<AVAudioSession.ResumptionRecommendationMessage>
{
  /// Whether to go on after an interruption.
  public static var resumptionRecommendation: Self { .init() }
}
