// SPDX-License-Identifier: MIT

/// What a media key or a remote control asks of the app that is now playing (rule VOL-2).
public enum RemoteCommand: Hashable, Codable, Sendable {
  /// Play.
  case play
  /// Pause.
  case pause
  /// Play when paused, pause when playing.
  case toggle
  /// Stop.
  case stop
  /// The next piece.
  case next
  /// The previous piece.
  case previous
  /// Go to a position, in seconds from the start.
  case seek(seconds: Double)
  /// Go on by so many seconds.
  case skipForward(seconds: Double)
  /// Go back by so many seconds.
  case skipBackward(seconds: Double)
  /// Play so many times as fast as normal.
  case rate(factor: Double)
  /// Record.
  case record
}
