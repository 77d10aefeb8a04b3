// SPDX-License-Identifier: MIT

/// What became of a remote command.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
  /// It was carried out.
  case success = 0
  /// There is nothing of that kind to play.
  case noSuchContent = 100
  /// Nothing plays that it could act on.
  case noActionableNowPlayingItem = 110
  /// The device that it is for is not there.
  case deviceNotFound = 120
  /// It failed otherwise.
  case commandFailed = 200
}
