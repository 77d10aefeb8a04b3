// SPDX-License-Identifier: MIT

/// How often a file is played from its beginning again after it ended.
public enum Looping: Sendable, Hashable {
  /// Not again.
  case off
  /// This many times more after the pass that sounds now.
  case times(Int)
  /// Until told otherwise.
  case forever
}
