// SPDX-License-Identifier: MIT

internal import JACK
internal import Patchbay

/// The connections that users made and removed by hand.
///
/// Pure value: [any-thread].
struct UserPatches: Sendable {
  /// Those that users made.
  var made: Set<ConnectionPair> = []
  /// Those that users removed.
  var takenAway: Set<ConnectionPair> = []
}

extension UserPatches {
  /// The patches that a keeper knows.
  init(of keeper: ConnectionKeeper) {
    self.init(made: keeper.madeByHand, takenAway: keeper.takenAway)
  }
}
