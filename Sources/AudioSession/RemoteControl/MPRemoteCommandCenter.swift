// SPDX-License-Identifier: MIT

public import Foundation
internal import Sessions

/// The commands of remote controls: media keys, desktop widgets, `playerctl` and the host's control socket.
///
/// They reach the app that is now playing (VOL-2), over MPRIS if the user has a message bus. The host keeps commands that
/// arrive during an interruption until its end (INT-4). [any-thread]
open class MPRemoteCommandCenter: NSObject, @unchecked Sendable {
  private static let only = MPRemoteCommandCenter()

  /// The center of this app.
  /// [any-thread]
  public class func shared() -> MPRemoteCommandCenter { only }

  private override init() {}

  /// Play.
  public let playCommand = MPRemoteCommand()
  /// Pause.
  public let pauseCommand = MPRemoteCommand()
  /// Play when paused, pause when playing; the key of most keyboards.
  public let togglePlayPauseCommand = MPRemoteCommand()
  /// Stop.
  public let stopCommand = MPRemoteCommand()
  /// The next track.
  public let nextTrackCommand = MPRemoteCommand()
  /// The previous track.
  public let previousTrackCommand = MPRemoteCommand()
  /// Move to a position; its events are ``MPChangePlaybackPositionCommandEvent``.
  public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
  /// Skip forward by an interval; its events are ``MPSkipIntervalCommandEvent``.
  public let skipForwardCommand = MPSkipIntervalCommand()
  /// Skip back by an interval; its events are ``MPSkipIntervalCommandEvent``.
  public let skipBackwardCommand = MPSkipIntervalCommand()
  /// Change the rate of playback; its events are ``MPChangePlaybackRateCommandEvent``.
  public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
  /// Wind forward; no remote control on Linux sends it.
  public let seekForwardCommand = MPRemoteCommand()
  /// Wind back; no remote control on Linux sends it.
  public let seekBackwardCommand = MPRemoteCommand()
  /// Like the item; no remote control on Linux sends it.
  public let likeCommand = MPFeedbackCommand()
  /// Dislike the item; no remote control on Linux sends it.
  public let dislikeCommand = MPFeedbackCommand()
  /// Bookmark the position; no remote control on Linux sends it.
  public let bookmarkCommand = MPFeedbackCommand()
  /// Rate the item; no remote control on Linux sends it.
  public let ratingCommand = MPRatingCommand()
  /// Repeat the item or the queue; its events are ``MPChangeRepeatModeCommandEvent``.
  public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
  /// Play the queue in another order; its events are ``MPChangeShuffleModeCommandEvent``.
  public let changeShuffleModeCommand = MPChangeShuffleModeCommand()
  /// Switch a language on; no remote control on Linux sends it.
  public let enableLanguageOptionCommand = MPRemoteCommand()
  /// Switch a language off; no remote control on Linux sends it.
  public let disableLanguageOptionCommand = MPRemoteCommand()
  /// Record.
  ///
  /// Not in the SDK; sent through the host's control socket.
  public let recordCommand = MPRemoteCommand()

  /// The command that a name of the control protocol means; nil for an unknown name.
  func command(of kind: RemoteCommand.Kind) -> MPRemoteCommand {
    switch kind {
    case .play: playCommand
    case .pause: pauseCommand
    case .toggle: togglePlayPauseCommand
    case .stop: stopCommand
    case .next: nextTrackCommand
    case .previous: previousTrackCommand
    case .seek: changePlaybackPositionCommand
    case .skipForward: skipForwardCommand
    case .skipBackward: skipBackwardCommand
    case .rate: changePlaybackRateCommand
    case .record: recordCommand
    }
  }

  /// Whether the app has a target for any command.
  var isTaking: Bool {
    [
      playCommand, pauseCommand, togglePlayPauseCommand, stopCommand, nextTrackCommand,
      previousTrackCommand, changePlaybackPositionCommand, skipForwardCommand, skipBackwardCommand,
      changePlaybackRateCommand, changeRepeatModeCommand, changeShuffleModeCommand, recordCommand,
    ].contains { $0.isTaken }
  }
}
