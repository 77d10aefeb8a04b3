// SPDX-License-Identifier: MIT

internal import JACK

/// What has happened to ports and connections.
extension ConnectionKeeper {
  /// The ports and the connections as they are, after attaching.
  mutating func reset(ports infos: [PortInfo], connections pairs: [ConnectionPair]) {
    ports.removeAll()
    for info in infos { ports.insert(info) }
    connections = Set(pairs.filter(isOurs))
  }

  /// A port appeared or changed, or its client became active: JACK connects no ports before.
  mutating func portAppeared(_ port: PortInfo) {
    ports.insert(port)
    refusals = refusals.filter { !$0.contains(port.name) }
  }

  /// A port vanished, and its connections with it.
  mutating func portVanished(_ name: String) {
    ports.remove(name)
    connections = connections.filter { !$0.contains(name) }
    inDoubt = inDoubt.filter { !$0.key.contains(name) }
    patchedLinks = patchedLinks.filter { !$0.key.contains(name) }
  }

  /// Two ports were connected, by us or by somebody else.
  mutating func connected(_ pair: ConnectionPair) {
    guard isOurs(pair), patchedLinks[pair] == nil else { return }
    connections.insert(pair)
    inDoubt[pair] = nil
    takenAway.remove(pair)
    let isOurWish =
      fallbackPairs.contains(pair) || releasing.contains(pair)
      || rules.contains { $0.asks(for: pair, among: ports) }
    if !isOurWish { madeByHand.insert(pair) }
  }

  /// The host patches an effect: whatever JACK tells of the connection is no user's will.
  ///
  /// It may have been patched, taken apart and patched again before JACK tells of the first.
  mutating func patched(_ pair: ConnectionPair) {
    if isOurs(pair) { patchedLinks[pair, default: 0] += 1 }
  }

  /// The connection of an effect has not come about, or is there no longer.
  ///
  /// - Returns: Whether it was one.
  @discardableResult
  mutating func unpatched(_ pair: ConnectionPair) -> Bool {
    guard let count = patchedLinks[pair] else { return false }
    patchedLinks[pair] = count > 1 ? count - 1 : nil
    return true
  }

  /// JACK refused to connect two ports.
  mutating func refused(_ pair: ConnectionPair) { refusals.insert(pair) }

  /// Two ports were disconnected; why, shows later.
  ///
  /// - Returns: Whether it was the host itself that took the connection away: it may want it again by now.
  @discardableResult
  mutating func disconnected(_ pair: ConnectionPair, nowNanoseconds: UInt64) -> Bool {
    guard isOurs(pair), !unpatched(pair) else { return false }
    let wasConnected = connections.remove(pair) != nil
    if releasing.remove(pair) != nil { return true }
    guard wasConnected else { return false }
    inDoubt[pair] = nowNanoseconds
    return false
  }

  /// Lets disconnections that are old enough count as a user's will.
  ///
  /// - Returns: The connections that a user has taken away for certain now.
  mutating func settle(nowNanoseconds: UInt64) -> [ConnectionPair] {
    let settled = inDoubt.filter { nowNanoseconds &- $0.value >= Self.doubtNanoseconds }.map(\.key)
    for pair in settled {
      inDoubt[pair] = nil
      if madeByHand.remove(pair) == nil { takenAway.insert(pair) }
    }
    return settled.sorted()
  }

  /// The server is gone: what went with it was nobody's will.
  mutating func serverLost() {
    inDoubt.removeAll()
    connections.removeAll()
    ports.removeAll()
    patchedLinks.removeAll()
  }
}
