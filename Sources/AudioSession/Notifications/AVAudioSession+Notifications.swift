// SPDX-License-Identifier: MIT

public import Foundation

extension AVAudioSession {
  /// An interruption begins or ends; on the main thread.
  @available(iOS, deprecated: 27, message: "observe the life-cycle notifications")
  public class var interruptionNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionInterruptionNotification")
  }

  /// The route changed; `currentRoute` is the new one already; on a secondary thread.
  public class var routeChangeNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionRouteChangeNotification")
  }

  /// The host or its JACK server is gone: audio objects are orphans (RST-1).
  public class var mediaServicesWereLostNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionMediaServicesWereLostNotification")
  }

  /// It is back: set up and activate anew (RST-1).
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

  /// Never posted: there is no injection.
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

  /// Never posted: the volume of a route is not the app's.
  public class var userIntentToUnmuteOutputNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionUserIntentToUnmuteOutputNotification")
  }

  /// The session is active; on the main thread.
  public class var didBecomeActiveNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionDidBecomeActiveNotification")
  }

  /// The session is inactive; `deactivationContextKey` says why; on the main thread.
  public class var didBecomeInactiveNotification: NSNotification.Name {
    NSNotification.Name("AVAudioSessionDidBecomeInactiveNotification")
  }

  /// Whether to go on after an interruption; `resumptionContextKey`; on the main thread.
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
