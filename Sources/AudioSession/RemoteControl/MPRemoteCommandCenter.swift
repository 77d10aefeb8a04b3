// SPDX-License-Identifier: MIT

public import Foundation

/// The commands of remote controls: media keys, desktop widgets, `playerctl` and the host's control socket.
///
/// They reach the app that is now playing (VOL-2): over MPRIS on the user's message bus, where there is one. Those that
/// come during an interruption are kept until its end (INT-4).
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
  /// Play when paused, pause when playing; what most keyboards have.
  public let togglePlayPauseCommand = MPRemoteCommand()
  /// Stop.
  public let stopCommand = MPRemoteCommand()
  /// The next piece.
  public let nextTrackCommand = MPRemoteCommand()
  /// The previous piece.
  public let previousTrackCommand = MPRemoteCommand()
  /// Go to a place; its events are ``MPChangePlaybackPositionCommandEvent``.
  public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
  /// Go on by some seconds; its events are ``MPSkipIntervalCommandEvent``.
  public let skipForwardCommand = MPSkipIntervalCommand()
  /// Go back by some seconds; its events are ``MPSkipIntervalCommandEvent``.
  public let skipBackwardCommand = MPSkipIntervalCommand()
  /// Play faster or slower; its events are ``MPChangePlaybackRateCommandEvent``.
  public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
  /// Go forward fast; no remote control on Linux asks for it.
  public let seekForwardCommand = MPRemoteCommand()
  /// Go back fast; no remote control on Linux asks for it.
  public let seekBackwardCommand = MPRemoteCommand()
  /// Like it; no remote control on Linux asks for it.
  public let likeCommand = MPRemoteCommand()
  /// Dislike it; no remote control on Linux asks for it.
  public let dislikeCommand = MPRemoteCommand()
  /// Keep the place; no remote control on Linux asks for it.
  public let bookmarkCommand = MPRemoteCommand()
  /// Record.
  ///
  /// Not in the SDK; the host's control socket has it.
  public let recordCommand = MPRemoteCommand()

  /// The command of a name on the wire.
  func command(named name: String) -> MPRemoteCommand? {
    switch name {
    case "play": playCommand
    case "pause": pauseCommand
    case "toggle": togglePlayPauseCommand
    case "stop": stopCommand
    case "next": nextTrackCommand
    case "previous": previousTrackCommand
    case "seek": changePlaybackPositionCommand
    case "skipForward": skipForwardCommand
    case "skipBackward": skipBackwardCommand
    case "rate": changePlaybackRateCommand
    case "record": recordCommand
    default: nil
    }
  }

  /// Whether the app takes any command.
  var isTaking: Bool {
    [
      playCommand, pauseCommand, togglePlayPauseCommand, stopCommand, nextTrackCommand,
      previousTrackCommand, changePlaybackPositionCommand, skipForwardCommand, skipBackwardCommand,
      changePlaybackRateCommand, recordCommand,
    ].contains { $0.isTaken }
  }
}
