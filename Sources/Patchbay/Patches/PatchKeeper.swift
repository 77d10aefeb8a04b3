// SPDX-License-Identifier: MIT

package import GraphFiles
package import JACK

/// Decides which connections the patch rules make and cut, among all ports of the server.
///
/// JACK's notifications go in; ``missing(nowNanoseconds:)`` and the cuts of ``connected(_:isHosts:nowNanoseconds:)`` come out. A connection
/// that a user or program has taken away stays away until one of its ports appears again, or, with `keep: always`, for
/// `remakeNanoseconds`. Pure value: [any-thread].
package struct PatchKeeper: Sendable {
  /// The time after which a connection with `keep: always` is made again: its port may be about to vanish.
  package static let remakeNanoseconds: UInt64 = 200_000_000

  /// A connection that a rule forbids.
  package struct Cut: Hashable, Sendable {
    /// The connection to remove.
    package let pair: ConnectionPair
    /// The place of the rule in the graph.
    package let rule: Int
    /// The connection for which it is removed; nil where the rule denies it.
    package let newcomer: ConnectionPair?
  }

  /// The most connections that one rule asks for.
  package static let limitOfRule = PatchBook.limitOfRule

  /// The rules, and the connections that they ask for.
  var book = PatchBook()
  /// All connections of the server, as far as JACK has reported them.
  var connections: Set<ConnectionPair> = []
  private var byPort = PairIndex()
  /// Connections that a rule asks for and that somebody has taken away.
  private var takenAway: Set<ConnectionPair> = []
  /// The time at which connections with `keep: always` were taken away.
  private var lost: [ConnectionPair: UInt64] = [:]
  /// Connections that cannot be made, or that the host has given up; until one of their ports appears.
  private var refusals: Set<ConnectionPair> = []
  /// The host's own connects and cuts for rules, which JACK has not reported yet.
  private var making: Set<ConnectionPair> = []
  private var cutting: [ConnectionPair: Bool] = [:]
  /// Whether anything has changed since ``missing(nowNanoseconds:)``.
  private var isChanged = true
  private var hands = HandPatches()

  /// Begins without rules and ports.
  package init() {}

  // MARK: - Rules

  /// Whether there is any rule.
  package var hasRules: Bool { !book.rules.isEmpty }
  /// The rules, in the order of the graph.
  package var rules: [GraphFile.PatchRule] { book.rules }

  /// Replaces the rules; connections that earlier rules have made stay.
  package mutating func take(_ rules: [GraphFile.PatchRule]) {
    let deciding = Dictionary(
      uniqueKeysWithValues: takenAway.map { pair in (pair, book.asked[pair].map(book.rule)) }
    )
    book.take(rules)
    // A user's act stands against the rule that it was made against.
    takenAway = takenAway.filter { pair in
      book.asked[pair].map { book.rule($0) == deciding[pair] } ?? false
    }
    lost.removeAll()
    refusals.removeAll()
    isChanged = true
  }

  // MARK: - Notifications

  /// Takes the ports and connections that exist, after attaching.
  package mutating func reset(
    ports: [PortInfo],
    connections pairs: [ConnectionPair],
    ownClients: Set<String>,
  ) {
    connections = []
    byPort.removeAll()
    making.removeAll()
    cutting.removeAll()
    refusals.removeAll()
    hands.reset(ownClients: ownClients)
    for pair in pairs { note(pair) }
    book.reset(ports: ports, ownClients: ownClients)
    isChanged = true
  }

  /// A port has appeared or changed.
  package mutating func portAppeared(_ port: PortInfo, nowNanoseconds: UInt64) {
    hands.appeared(port, nowNanoseconds: nowNanoseconds)
    forgive(port.name)
    book.insert(port)
    isChanged = true
  }

  /// A port has vanished.
  package mutating func portVanished(_ name: String) {
    for pair in byPort[name] { forget(pair) }
    forgive(name)
    hands.vanished(name)
    book.remove(name)
    isChanged = true
  }

  /// A port has another name; its connections stay.
  ///
  /// - Returns: Those connections; nil for a port that is not known.
  package mutating func portRenamed(_ old: String, to new: String) -> [ConnectionPair]? {
    guard let renamed = book.info(of: old)?.renamed(new) else { return nil }
    let names = [old: new]
    let pairs = byPort[old].map { $0.renamed(names) }
    for pair in byPort[old] { forget(pair) }
    for pair in pairs { note(pair) }
    takenAway = Set(takenAway.map { $0.renamed(names) })
    refusals = Set(refusals.map { $0.renamed(names) })
    making = Set(making.map { $0.renamed(names) })
    lost = Dictionary(lost.map { ($0.renamed(names), $1) }, uniquingKeysWith: max)
    cutting = Dictionary(cutting.map { ($0.renamed(names), $1) }) { first, _ in first }
    hands.rename(names)
    book.remove(old)
    book.insert(renamed)
    isChanged = true
    return pairs.sorted()
  }

  private mutating func forgive(_ port: String) {
    takenAway = takenAway.filter { !$0.contains(port) }
    refusals = refusals.filter { !$0.contains(port) }
    lost = lost.filter { !$0.key.contains(port) }
  }

  /// Two ports were connected.
  ///
  /// - Parameters:
  ///   - pair: The ports.
  ///   - isHosts: Whether the host itself did it, for another reason than a rule.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  /// - Returns: The connections to remove now, this one perhaps among them.
  package mutating func connected(
    _ pair: ConnectionPair,
    isHosts: Bool,
    nowNanoseconds: UInt64,
  ) -> [Cut] {
    note(pair)
    takenAway.remove(pair)
    lost[pair] = nil
    let isRules = making.remove(pair) != nil
    if !isHosts, !isRules, book.asked[pair] == nil {
      hands.connected(pair, nowNanoseconds: nowNanoseconds)
    }
    return cuts(after: pair)
  }

  /// Two ports were disconnected.
  ///
  /// - Parameters:
  ///   - pair: The ports.
  ///   - isHosts: Whether the host itself did it, for another reason than a rule.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  package mutating func disconnected(
    _ pair: ConnectionPair,
    isHosts: Bool,
    nowNanoseconds: UInt64,
  ) {
    forget(pair)
    hands.disconnected(pair)
    isChanged = true
    let staysAway = cutting.removeValue(forKey: pair)
    guard let index = book.asked[pair], staysAway != false else { return }
    if staysAway == nil, !isHosts, book.rule(index).keep == .always {
      lost[pair] = nowNanoseconds
    } else {
      takenAway.insert(pair)
    }
  }

  /// The connections between other programs' ports that a user made by hand.
  package var handsMade: Set<ConnectionPair> { hands.made }

  /// Keeps those of earlier connections by hand that are still there, after ``reset(ports:connections:ownClients:)``.
  package mutating func keepHands(_ earlier: Set<ConnectionPair>) {
    hands.keep(earlier, among: connections)
  }

  private mutating func note(_ pair: ConnectionPair) {
    connections.insert(pair)
    byPort.insert(pair)
  }

  private mutating func forget(_ pair: ConnectionPair) {
    connections.remove(pair)
    byPort.remove(pair)
  }

  // MARK: - The host's acts

  /// The host is about to make a connection for a rule.
  package mutating func make(_ pair: ConnectionPair) { making.insert(pair) }

  /// A connection for a rule cannot be made, or is given up, until one of its ports appears again.
  package mutating func refuse(_ pair: ConnectionPair) {
    making.remove(pair)
    lost[pair] = nil
    refusals.insert(pair)
  }

  /// The connection is there already.
  package mutating func found(_ pair: ConnectionPair) {
    making.remove(pair)
    note(pair)
  }

  /// The host is about to remove a connection for a rule.
  package mutating func cut(_ cut: Cut) {
    // An exclusive rule's claim ends with its ports; what a newer connection has taken away stays away.
    cutting[cut.pair] = book.rule(cut.rule).kind == .single
  }

  /// A connection could not be removed.
  package mutating func cutFailed(_ pair: ConnectionPair) { cutting[pair] = nil }

  // MARK: - Decisions

  /// The connections to make now, sorted.
  package mutating func missing(nowNanoseconds: UInt64) -> [ConnectionPair] {
    guard isChanged || !lost.isEmpty else { return [] }
    isChanged = false
    return book.asked.keys.filter { isMissing($0, nowNanoseconds) }.sorted()
  }

  private func isMissing(_ pair: ConnectionPair, _ nowNanoseconds: UInt64) -> Bool {
    guard !connections.contains(pair), !making.contains(pair), isWanted(pair) else { return false }
    return lost[pair].map { nowNanoseconds &- $0 >= Self.remakeNanoseconds } ?? true
  }

  /// Whether a rule asks for the connection and no other rule has a better claim to its ports.
  private func isWanted(_ pair: ConnectionPair) -> Bool {
    guard let index = book.asked[pair], isOpen(pair) else { return false }
    for port in [pair.source, pair.destination] {
      if let holder = holder(of: port), holder != index { return false }
      if book.single(at: port) != nil, chosen(at: port) != pair { return false }
    }
    return true
  }

  private func isOpen(_ pair: ConnectionPair) -> Bool {
    !takenAway.contains(pair) && !refusals.contains(pair)
  }

  /// The last rule that has a port for itself; nil without one.
  private func holder(of port: String) -> Int? {
    book.askedByPort[port].filter(isOpen).compactMap { pair -> Int? in
      guard let index = book.asked[pair] else { return nil }
      let isClaimed =
        switch book.rule(index).exclusive {
        case nil: false
        case .source?: pair.source == port
        case .destination?: pair.destination == port
        case .both?: true
        }
      return isClaimed ? index : nil
    }.max()
  }

  /// Of the connections that are asked for at a port with one connection, the one to make: that of the last rule.
  private func chosen(at port: String) -> ConnectionPair? {
    book.askedByPort[port].filter(isOpen).min { first, second in
      (-(book.asked[first] ?? 0), first) < (-(book.asked[second] ?? 0), second)
    }
  }

  /// The connections that rules forbid, of those that existed before the host or its rules.
  package func forbidden() -> [Cut] {
    let denied = connections.sorted().compactMap { pair -> Cut? in
      denial(of: pair).map { Cut(pair: pair, rule: $0, newcomer: nil) }
    }
    let claimed = book.asked.keys.sorted().flatMap { pair -> [Cut] in
      connections.contains(pair) && isWanted(pair) ? rivals(of: pair) : []
    }
    var seen: Set<ConnectionPair> = []
    return (denied + claimed).filter { seen.insert($0.pair).inserted }
  }

  private func cuts(after newest: ConnectionPair) -> [Cut] {
    if let rule = denial(of: newest) { return [Cut(pair: newest, rule: rule, newcomer: nil)] }
    var cuts: [Cut] = []
    for port in [newest.source, newest.destination] {
      if let holder = holder(of: port), book.asked[newest] != holder {
        return [Cut(pair: newest, rule: holder, newcomer: newest)]
      }
      guard let single = book.single(at: port) else { continue }
      let others = byPort[port].subtracting([newest]).sorted()
      let index = book.asked[newest] ?? -1
      let isFirm = others.contains { other in
        book.asked[other].map { book.rule($0).keep == .always && $0 > index } ?? false
      }
      if isFirm { return [Cut(pair: newest, rule: single, newcomer: newest)] }
      cuts += others.map { Cut(pair: $0, rule: single, newcomer: newest) }
    }
    return cuts + rivals(of: newest)
  }

  /// The connections that an exclusive rule's own does not tolerate beside it.
  private func rivals(of pair: ConnectionPair) -> [Cut] {
    guard let index = book.asked[pair] else { return [] }
    return [pair.source, pair.destination].filter { holder(of: $0) == index }.flatMap { port in
      byPort[port].filter { book.asked[$0] != index }.sorted()
        .map { Cut(pair: $0, rule: index, newcomer: pair) }
    }
  }
}

/// Questions about connections. [any-thread]
extension PatchKeeper {
  /// The place of the rule that denies a connection; nil where none does.
  package func denial(of pair: ConnectionPair) -> Int? {
    guard let index = book.decision(about: pair), book.rule(index).kind == .deny else { return nil }
    return index
  }

  /// Whether the host does not make a connection itself, whatever asks for it.
  package func leavesOut(_ pair: ConnectionPair) -> Bool {
    guard let index = book.decision(about: pair) else { return false }
    return [.deny, .omit].contains(book.rule(index).kind)
  }

  /// The place of the rule that asks for a connection; nil where none does.
  package func rule(askingFor pair: ConnectionPair) -> Int? { book.asked[pair] }

  /// The connections of each rule that exist, by its place.
  package var connectionCounts: [Int: Int] {
    Dictionary(
      connections.compactMap { pair in book.asked[pair].map { ($0, 1) } },
      uniquingKeysWith: +
    )
  }

  /// The rules that ask for more connections than a rule may.
  package var overfullRules: Set<Int> { book.overfull }

  /// The place of the rule that asks for each connection.
  package var asked: [ConnectionPair: Int] { book.asked }

  /// Whether two ports are connected, as far as JACK has reported it.
  package func isConnected(_ pair: ConnectionPair) -> Bool { connections.contains(pair) }

  /// The states of connections by hand, for a graph file: those between other programs' ports that a user made, and those of
  /// rules that somebody has taken away.
  package var handStates: [ConnectionPair: GraphFile.PatchState] {
    var states: [ConnectionPair: GraphFile.PatchState] = [:]
    for pair in hands.made { states[pair] = .connect }
    for pair in takenAway where !connections.contains(pair) {
      guard let index = book.asked[pair] else { continue }
      // A rule for just these ports goes; against any other one the connection is left out.
      let isAlone = book.rule(index).isExact && book.isOnlyMeant(pair, by: index)
      states[pair] = isAlone ? .free : .omit
    }
    return states
  }
}
