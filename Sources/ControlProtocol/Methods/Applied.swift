// SPDX-License-Identifier: MIT

/// The result of a change of the mix.
public struct Applied: Codable, Sendable, Hashable {
  /// The JACK frame from which the change is heard (the start of its ramp), `null` while there is
  /// no server and the change waits for it.
  @OrNull public var frame: UInt64?
  /// The numbers of requests of a suspended app, which are carried out on its return (SYS-2).
  ///
  /// The event `session` with `requestAnswered` tells what came of each. Left out where nothing waits.
  public var waiting: [UInt64]?

  /// Makes the result.
  public init(frame: UInt64?, waiting: [UInt64] = []) {
    self.frame = frame
    self.waiting = waiting.isEmpty ? nil : waiting
  }
}

extension Applied: WaitingResult {}
