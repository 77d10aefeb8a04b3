// SPDX-License-Identifier: MIT

public import Foundation

/// One command from a media key or a remote control.
///
/// Immutable: [any-thread].
open class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
  /// The command that was sent.
  public let command: MPRemoteCommand
  /// The time of arrival, in seconds of the system's uptime.
  public let timestamp: TimeInterval

  init(_ command: MPRemoteCommand) {
    self.command = command
    timestamp = ProcessInfo.processInfo.systemUptime
  }
}

/// A command to move to a position.
///
/// Immutable: [any-thread].
open class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// The position in seconds from the start.
  public let positionTime: TimeInterval

  init(_ command: MPRemoteCommand, positionTime: TimeInterval) {
    self.positionTime = positionTime
    super.init(command)
  }
}

/// A command to skip forward or back.
///
/// Immutable: [any-thread].
open class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// The interval in seconds.
  public let interval: TimeInterval

  init(_ command: MPRemoteCommand, interval: TimeInterval) {
    self.interval = interval
    super.init(command)
  }
}

/// A command to change the rate of playback.
///
/// Immutable: [any-thread].
open class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// The rate; 1 is normal.
  public let playbackRate: Float

  init(_ command: MPRemoteCommand, playbackRate: Float) {
    self.playbackRate = playbackRate
    super.init(command)
  }
}

/// A command to rate the item.
///
/// Immutable: [any-thread].
open class MPRatingCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// The rating, between the command's lowest and highest one.
  public let rating: Float

  init(_ command: MPRemoteCommand, rating: Float) {
    self.rating = rating
    super.init(command)
  }
}

/// A command to like, dislike or bookmark the item.
///
/// Immutable: [any-thread].
open class MPFeedbackCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// Whether the feedback is taken back.
  public let isNegative: Bool

  init(_ command: MPRemoteCommand, isNegative: Bool) {
    self.isNegative = isNegative
    super.init(command)
  }
}

/// A command to play the queue in another order.
///
/// Immutable: [any-thread].
open class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// The order.
  public let shuffleType: MPShuffleType
  /// Whether the app should keep it for later.
  public let preservesShuffleMode: Bool

  init(_ command: MPRemoteCommand, shuffleType: MPShuffleType) {
    self.shuffleType = shuffleType
    preservesShuffleMode = false
    super.init(command)
  }
}

/// A command to repeat the item or the queue, or nothing.
///
/// Immutable: [any-thread].
open class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// The repetition.
  public let repeatType: MPRepeatType
  /// Whether the app should keep it for later.
  public let preservesRepeatMode: Bool

  init(_ command: MPRemoteCommand, repeatType: MPRepeatType) {
    self.repeatType = repeatType
    preservesRepeatMode = false
    super.init(command)
  }
}

/// The outcome of a remote command.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
  /// It was carried out.
  case success = 0
  /// There is no such content to play.
  case noSuchContent = 100
  /// The app has no current item that can take the command.
  case noActionableNowPlayingItem = 110
  /// The device of the command is not connected.
  case deviceNotFound = 120
  /// It failed for another reason.
  case commandFailed = 200
}
