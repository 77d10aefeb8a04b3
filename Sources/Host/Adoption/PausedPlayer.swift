// SPDX-License-Identifier: MIT

/// How a player was paused, so that it can be told to go on, and noticed when it does by itself.
enum PausedPlayer: Sendable, Hashable {
  /// It is just being looked for on the bus.
  case pending
  /// Over MPRIS.
  case bus(PlayerBus.Name)
  /// By stopping JACK's transport.
  case transport
}
