// SPDX-License-Identifier: MIT

/// The result of a change of the mix.
public struct Applied: Codable, Sendable, Hashable {
  /// The JACK frame from which the change is heard (the start of its ramp), `null` while there is
  /// no server and the change waits for it.
  @OrNull public var frame: UInt64?

  /// Makes the result.
  public init(frame: UInt64?) { self.frame = frame }
}
