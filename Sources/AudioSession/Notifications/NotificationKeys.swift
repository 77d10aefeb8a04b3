// SPDX-License-Identifier: MIT

/// Always in `interruptionNotification`: an `InterruptionType` as `NSNumber`.
public let AVAudioSessionInterruptionTypeKey =
  "AVAudioSessionInterruptionTypeKey"

/// With `ended` always: `InterruptionOptions` as `NSNumber`.
public let AVAudioSessionInterruptionOptionKey =
  "AVAudioSessionInterruptionOptionKey"

/// With `began` always: an `InterruptionReason` as `NSNumber`.
public let AVAudioSessionInterruptionReasonKey =
  "AVAudioSessionInterruptionReasonKey"

/// With `began`, where the app was suspended: `true` as `NSNumber`.
public let AVAudioSessionInterruptionWasSuspendedKey =
  "AVAudioSessionInterruptionWasSuspendedKey"

/// Always in `routeChangeNotification`: a `RouteChangeReason` as `NSNumber`.
public let AVAudioSessionRouteChangeReasonKey =
  "AVAudioSessionRouteChangeReasonKey"

/// Always in `routeChangeNotification`: an `AVAudioSessionRouteDescription`.
public let AVAudioSessionRouteChangePreviousRouteKey =
  "AVAudioSessionRouteChangePreviousRouteKey"

/// A `SilenceSecondaryAudioHintType` as `NSNumber`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey =
  "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

/// Of a notification that is never posted.
public let AVAudioSessionSpatialAudioEnabledKey =
  "AVAudioSessionSpatialAudioEnabledKey"

/// Of a notification that is never posted.
public let AVAudioSessionRenderingModeNewRenderingModeKey =
  "AVAudioSessionRenderingModeNewRenderingModeKey"

/// Of a notification that is never posted.
public let AVAudioSessionMicrophoneInjectionIsAvailableKey =
  "AVAudioSessionMicrophoneInjectionIsAvailableKey"
