// SPDX-License-Identifier: MIT

/// The late cycles that JACK has told a client of.
public struct XrunStatistics: Equatable, Sendable {
  /// How many since opening.
  public internal(set) var count: UInt64 = 0
  /// How late the last one was, as far as JACK knows.
  public internal(set) var lastDelayMicroseconds: Float = 0
  /// How late the latest one was.
  public internal(set) var maxDelayMicroseconds: Float = 0
  /// The frame time of the last one; nil before the first.
  public internal(set) var lastFrameTime: UInt32?
}
