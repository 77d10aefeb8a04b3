// SPDX-License-Identifier: MIT

public import Foundation

/// One press of a media key, or one wish of a remote control.
open class MPRemoteCommandEvent: NSObject, @unchecked Sendable {
  /// The command that it is one of.
  public let command: MPRemoteCommand
  /// When it came, in seconds of the system's uptime.
  public let timestamp: TimeInterval

  init(_ command: MPRemoteCommand) {
    self.command = command
    timestamp = ProcessInfo.processInfo.systemUptime
  }
}

/// A wish to go to a place.
open class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// Where to, in seconds from the start.
  public let positionTime: TimeInterval

  init(_ command: MPRemoteCommand, positionTime: TimeInterval) {
    self.positionTime = positionTime
    super.init(command)
  }
}

/// A wish to go on or back by some seconds.
open class MPSkipIntervalCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// How far, in seconds.
  public let interval: TimeInterval

  init(_ command: MPRemoteCommand, interval: TimeInterval) {
    self.interval = interval
    super.init(command)
  }
}

/// A wish for another speed.
open class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent, @unchecked Sendable {
  /// How many times as fast as normal.
  public let playbackRate: Float

  init(_ command: MPRemoteCommand, playbackRate: Float) {
    self.playbackRate = playbackRate
    super.init(command)
  }
}
