// SPDX-License-Identifier: MIT

package import JACK

/// Ports and connections that JACK reports, and connections that the host makes for effects. [any-thread]
extension ConnectionKeeper {
  /// Takes the ports and connections that exist, after attaching and where no reports tell them.
  ///
  /// A connection that is missing now is nobody's act: it is made again if it is asked for.
  package mutating func reset(ports infos: [PortInfo], connections pairs: [ConnectionPair]) {
    ports.removeAll()
    for info in infos { ports.insert(info) }
    let present = Set(pairs.filter(isOurs))
    for pair in connections.subtracting(present) {
      note(pair, isConnected: false)
      patchedLinks[pair] = nil
    }
    for pair in present { note(pair, isConnected: true) }
    takenAway.subtract(present)
    releasing.formIntersection(present)
    for pair in present { inDoubt[pair] = nil }
    _ = rules.takeAll(among: ports)
    reviewAll()
  }

  /// A port appeared or changed, or its client became active; JACK connects only ports of active clients.
  package mutating func portAppeared(_ port: PortInfo, nowNanoseconds: UInt64) {
    if !port.isPhysical, !ports.hasPorts(ofClient: port.client) {
      arrivals[port.client] = nowNanoseconds
    }
    let change = ports.insert(port)
    let pairs = knownPairs(of: port.name)
    for pair in pairs { refusals.remove(pair) }
    review(pairs)
    take(change)
  }

  /// A port vanished, with its connections.
  package mutating func portVanished(_ name: String, nowNanoseconds: UInt64) {
    let isProgram = !ownPorts.contains(name) && ports.info(of: name)?.isPhysical == false
    let change = ports.remove(name)
    let pairs = knownPairs(of: name)
    for pair in pairs {
      note(pair, isConnected: false)
      inDoubt[pair] = nil
      patchedLinks[pair] = nil
      ownConnects[pair] = nil
      if isProgram { madeByPrograms.remove(pair) }
      // The server may be going, which is no act of the program.
      if isProgram, !keepsPatches, madeByHand.contains(pair) { orphans[pair] = nowNanoseconds }
    }
    review(pairs)
    take(change)
  }

  /// Brings the rules up to date after a change of a port.
  mutating func take(_ change: PortDirectory.Change?) {
    if let change { review(rules.take(change, among: ports)) }
  }

  /// The host itself has connected two ports.
  ///
  /// - Parameters:
  ///   - pair: The ports.
  ///   - isNew: Whether they were not connected before: JACK reports that later, perhaps when they are apart again.
  package mutating func made(_ pair: ConnectionPair, isNew: Bool = true) {
    guard isOurs(pair), patchedLinks[pair] == nil else { return }
    if isNew { ownConnects[pair, default: 0] += 1 }
    noteConnected(pair)
  }

  /// Two ports were connected, by the host or by another program.
  package mutating func connected(_ pair: ConnectionPair, nowNanoseconds: UInt64) {
    guard isOurs(pair), patchedLinks[pair] == nil else { return }
    let isNews = !connections.contains(pair)
    if !takeOwnConnect(pair), isNews, !isExpected(pair) {
      if isStarting(pair, nowNanoseconds) {
        madeByPrograms.insert(pair)
      } else {
        orphans[pair] = nil
        madeByHand.insert(pair)
      }
    }
    noteConnected(pair)
  }

  private mutating func noteConnected(_ pair: ConnectionPair) {
    note(pair, isConnected: true)
    inDoubt[pair] = nil
    takenAway.remove(pair)
    review([pair])
  }

  /// Whether the report of a connection is that of one that the host has made.
  private mutating func takeOwnConnect(_ pair: ConnectionPair) -> Bool {
    guard let count = ownConnects[pair] else { return false }
    ownConnects[pair] = count > 1 ? count - 1 : nil
    return true
  }

  /// Whether the host asks for a connection, or is just removing it.
  private func isExpected(_ pair: ConnectionPair) -> Bool {
    releasing.contains(pair) || !rules.owners(askingFor: pair).isEmpty
  }

  /// Whether a program at one end has come so lately that it is connecting itself.
  private func isStarting(_ pair: ConnectionPair, _ nowNanoseconds: UInt64) -> Bool {
    [pair.source, pair.destination].contains { port in
      guard !ownPorts.contains(port), let client = ports.info(of: port)?.client,
        let arrival = arrivals[client]
      else { return false }
      return nowNanoseconds &- arrival < Self.startNanoseconds
    }
  }

  /// The host makes a connection for an effect; JACK's reports of it are never taken for a user's patch.
  ///
  /// The host may have made, removed and made it again before JACK reports the first connect.
  package mutating func patched(_ pair: ConnectionPair) {
    guard isOurs(pair) else { return }
    patchedLinks[pair, default: 0] += 1
    review([pair])
  }

  /// A connection made for an effect failed or was removed.
  ///
  /// - Returns: Whether the connection was made for an effect.
  @discardableResult
  package mutating func unpatched(_ pair: ConnectionPair) -> Bool {
    guard let count = patchedLinks[pair] else { return false }
    patchedLinks[pair] = count > 1 ? count - 1 : nil
    review([pair])
    return true
  }

  /// JACK refused to connect two ports.
  package mutating func refused(_ pair: ConnectionPair) {
    refusals.insert(pair)
    review([pair])
  }

  /// Lets connections be made that were refused.
  package mutating func retry(_ pairs: some Sequence<ConnectionPair>) {
    for pair in pairs where refusals.remove(pair) != nil { review([pair]) }
  }

  /// Two ports were disconnected; the reason is in doubt for a second.
  ///
  /// - Returns: Whether the host itself removed the connection; it may be missing again by now.
  @discardableResult
  package mutating func disconnected(_ pair: ConnectionPair, nowNanoseconds: UInt64) -> Bool {
    guard isOurs(pair), !unpatched(pair) else { return false }
    let wasConnected = note(pair, isConnected: false)
    let isOurAct = releasing.remove(pair) != nil
    if wasConnected, !isOurAct { inDoubt[pair] = nowNanoseconds }
    review([pair])
    return isOurAct
  }

  /// Counts disconnections older than `doubtNanoseconds` as made by a user, and forgets patches whose program has been
  /// gone for so long.
  ///
  /// - Returns: The connections that a user has removed, now certain.
  package mutating func settle(nowNanoseconds: UInt64) -> [ConnectionPair] {
    arrivals = arrivals.filter { nowNanoseconds &- $0.value < Self.startNanoseconds }
    for (pair, time) in orphans where nowNanoseconds &- time >= Self.doubtNanoseconds {
      orphans[pair] = nil
      madeByHand.remove(pair)
      review([pair])
    }
    let settled = inDoubt.filter { nowNanoseconds &- $0.value >= Self.doubtNanoseconds }.map(\.key)
    for pair in settled {
      inDoubt[pair] = nil
      let wasMade = madeByPrograms.remove(pair) != nil
      if madeByHand.remove(pair) == nil, !wasMade { takenAway.insert(pair) }
    }
    review(settled)
    return settled.sorted()
  }

  /// The server is lost: disconnections still in doubt were no user's.
  package mutating func serverLost() {
    forgetServer()
    _ = rules.takeAll(among: ports)
    reviewAll()
  }
}
