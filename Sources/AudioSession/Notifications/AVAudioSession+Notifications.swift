// SPDX-License-Identifier: MIT

public import Foundation

extension AVAudioSession {
  /// An interruption begins or ends; posted on the main thread.
  @available(iOS, deprecated: 27, message: "observe the life-cycle notifications")
  public class var interruptionNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionInterruptionNotification")
  }

  /// The route changed, and `currentRoute` is the new one; posted on a secondary thread.
  public class var routeChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionRouteChangeNotification")
  }

  /// The host or its JACK server has ended: audio objects are orphans (RST-1).
  public class var mediaServicesWereLostNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionMediaServicesWereLostNotification")
  }

  /// The host and its JACK server are back: set up and activate again (RST-1).
  public class var mediaServicesWereResetNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionMediaServicesWereResetNotification")
  }

  /// Another app's primary audio begins or ends (ACT-7).
  public class var silenceSecondaryAudioHintNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionSilenceSecondaryAudioHintNotification")
  }

  /// Never posted: JACK has no spatial audio.
  public class var spatialPlaybackCapabilitiesChangedNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification")
  }

  /// Never posted: see `AVAudioSession.renderingMode`.
  public class var renderingModeChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionRenderingModeChangeNotification")
  }

  /// Never posted.
  public class var renderingCapabilitiesChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionRenderingCapabilitiesChangeNotification")
  }

  /// Never posted: JACK has no microphone injection.
  public class var microphoneInjectionCapabilitiesChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionMicrophoneInjectionCapabilitiesChangeNotification")
  }

  /// `availableInputs` changed.
  public class var availableInputsChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionAvailableInputsChangeNotification")
  }

  /// The output was muted or unmuted; `muteStateKey` says which.
  public class var outputMuteStateChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionOutputMuteStateChangeNotification")
  }

  /// Never posted: the volume of a route belongs to the host's user.
  public class var userIntentToUnmuteOutputNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionUserIntentToUnmuteOutputNotification")
  }

  /// The session became active; posted on the main thread.
  public class var didBecomeActiveNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionDidBecomeActiveNotification")
  }

  /// The session became inactive, `deactivationContextKey` has the cause; posted on the main thread.
  public class var didBecomeInactiveNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionDidBecomeInactiveNotification")
  }

  /// An interruption ended, `resumptionContextKey` says whether to resume; posted on the main thread.
  public class var resumptionRecommendationNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionResumptionRecommendationNotification")
  }

  /// The key of `outputMuteStateChangeNotification`: an `NSNumber`, 1 when muted.
  public class var muteStateKey: String { "AVAudioSessionMuteStateKey" }

  /// The key of `didBecomeInactiveNotification`: a ``DeactivationContext``.
  public class var deactivationContextKey: String { "AVAudioSessionDeactivationContextKey" }

  /// The key of `resumptionRecommendationNotification`: a ``ResumptionContext``.
  public class var resumptionContextKey: String { "AVAudioSessionResumptionContextKey" }
}

/// The key that is always in `interruptionNotification`: an `InterruptionType` as `NSNumber`.
public let AVAudioSessionInterruptionTypeKey =
  "AVAudioSessionInterruptionTypeKey"

/// The key that comes with `ended`: `InterruptionOptions` as `NSNumber`.
public let AVAudioSessionInterruptionOptionKey =
  "AVAudioSessionInterruptionOptionKey"

/// The key that comes with `began`: an `InterruptionReason` as `NSNumber`.
public let AVAudioSessionInterruptionReasonKey =
  "AVAudioSessionInterruptionReasonKey"

/// The key that comes with `began` if the app was suspended: `true` as `NSNumber`.
public let AVAudioSessionInterruptionWasSuspendedKey =
  "AVAudioSessionInterruptionWasSuspendedKey"

/// Always in `routeChangeNotification`: a `RouteChangeReason` as `NSNumber`.
public let AVAudioSessionRouteChangeReasonKey =
  "AVAudioSessionRouteChangeReasonKey"

/// The key that is always in `routeChangeNotification`: an `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey =
  "AVAudioSessionRouteChangePreviousRouteKey"

/// The key of a `SilenceSecondaryAudioHintType` as `NSNumber`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

/// The key of a notification that is never posted.
public let AVAudioSessionSpatialAudioEnabledKey =
  "AVAudioSessionSpatialAudioEnabledKey"

/// The key of a notification that is never posted.
public let AVAudioSessionRenderingModeNewRenderingModeKey =
  "AVAudioSessionRenderingModeNewRenderingModeKey"

/// The key of a notification that is never posted.
public let AVAudioSessionMicrophoneInjectionIsAvailableKey =
  "AVAudioSessionMicrophoneInjectionIsAvailableKey"
