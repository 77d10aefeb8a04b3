// SPDX-License-Identifier: MIT

/// What a node asks of its host's transport.
public enum AudioUnitRemoteControlEvent: UInt32, Hashable, Sendable, CaseIterable {
  /// Play, or pause.
  case togglePlayPause = 1
  /// Begin or end recording.
  case toggleRecord = 2
  /// Back to the beginning.
  case rewind = 3
}
