// SPDX-License-Identifier: MIT

/// The maker of a connection.
///
/// Pure value: [any-thread].
package enum ConnectionMaker: Hashable, Sendable {
  /// The host: the strip, source or route of this name asks for it.
  case owner(String)
  /// The host, for an effect.
  case host
  /// A user by hand.
  case user
  /// A program, or anybody between ports that are not the host's.
  case program
}

/// Questions about single connections. [any-thread]
extension ConnectionKeeper {
  /// The maker of a connection.
  package func maker(of pair: ConnectionPair) -> ConnectionMaker {
    if let owner = rules.owners(askingFor: pair).first { return .owner(owner) }
    if patchedLinks[pair] != nil { return .host }
    return madeByHand.contains(pair) ? .user : .program
  }
}
