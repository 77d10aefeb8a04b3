// SPDX-License-Identifier: MIT

/// What kind of thing plays; remote controls on Linux make no difference.
public enum MPNowPlayingInfoMediaType: UInt, Sendable {
  /// Not said.
  case none = 0
  /// Sound.
  case audio = 1
  /// Sound and picture.
  case video = 2
}
