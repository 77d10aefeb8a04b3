// SPDX-License-Identifier: MIT

/// The rules in force, and the connections that they ask for among the ports that exist.
///
/// A change of a port concerns only the rules that name the port or that watch for ports like it. Pure value:
/// [any-thread].
struct RuleBook: Sendable {
  /// A rule in force, with the foreign ports that each channel finds.
  private struct Entry {
    let rule: ConnectionRule
    var found: [[String]]
  }

  private var entries: [Int: Entry] = [:]
  private var lastNumber = 0
  /// The rules of each owner, in order of age.
  private var byOwner: [String: [Int]] = [:]
  /// The rules with a channel of each port of the host.
  private var byOwnPort: [String: Set<Int>] = [:]
  /// The rules that look for a port of each name or alias.
  private var byName: [String: Set<Int>] = [:]
  /// The rules that depend on the answer to each question.
  private var byQuery: [PortQuery: Set<Int>] = [:]
  /// The owners that ask for each connection, once for each channel that does.
  private var askers: [ConnectionPair: [String]] = [:]
  /// How many rules were looked at.
  private(set) var visits = 0

  // MARK: - Changes

  /// Puts a rule in force.
  ///
  /// - Returns: The connections that are asked for otherwise than before.
  mutating func add(_ rule: ConnectionRule, among ports: inout PortDirectory) -> [ConnectionPair] {
    lastNumber += 1
    let number = lastNumber
    entries[number] = Entry(rule: rule, found: rule.channels.map { _ in [] })
    byOwner[rule.owner, default: []].append(number)
    for channel in rule.channels {
      byOwnPort[channel.ownPort, default: []].insert(number)
      if case .named(let name) = channel.target { byName[name, default: []].insert(number) }
      for query in channel.target.queries(facing: rule.direction) {
        byQuery[query, default: []].insert(number)
        ports.watch(query)
      }
    }
    return review(number, among: ports)
  }

  /// Takes all rules of an owner out of force.
  ///
  /// - Returns: The connections that are asked for otherwise than before.
  mutating func remove(owner: String, among ports: inout PortDirectory) -> [ConnectionPair] {
    var changed: [ConnectionPair] = []
    for number in byOwner.removeValue(forKey: owner) ?? [] {
      guard let entry = entries.removeValue(forKey: number) else { continue }
      let rule = entry.rule
      for (channel, found) in zip(rule.channels, entry.found) {
        byOwnPort.remove(number, of: channel.ownPort)
        if case .named(let name) = channel.target { byName.remove(number, of: name) }
        for query in channel.target.queries(facing: rule.direction) {
          byQuery.remove(number, of: query)
          ports.unwatch(query)
        }
        for other in found {
          let pair = rule.pair(of: channel, with: other)
          stopAsking(for: pair, owner: owner)
          changed.append(pair)
        }
      }
    }
    return changed
  }

  /// Takes in a change of a port.
  ///
  /// - Returns: The connections that are asked for otherwise than before.
  mutating func take(
    _ change: PortDirectory.Change,
    among ports: PortDirectory,
  ) -> [ConnectionPair] {
    var concerned: Set<Int> = []
    for name in change.names {
      concerned.formUnion(byOwnPort[name] ?? [])
      concerned.formUnion(byName[name] ?? [])
    }
    for query in change.queries { concerned.formUnion(byQuery[query] ?? []) }
    return concerned.flatMap { review($0, among: ports) }
  }

  /// Looks at every rule anew, because all ports are others.
  ///
  /// - Returns: The connections that are asked for otherwise than before.
  mutating func takeAll(among ports: PortDirectory) -> [ConnectionPair] {
    entries.keys.sorted().flatMap { review($0, among: ports) }
  }

  /// Finds the ports of a rule anew.
  private mutating func review(_ number: Int, among ports: PortDirectory) -> [ConnectionPair] {
    guard let rule = entries[number]?.rule else { return [] }
    visits += 1
    var changed: [ConnectionPair] = []
    for (index, channel) in rule.channels.enumerated() {
      let before = entries[number]?.found[index] ?? []
      let now = rule.foreignPorts(of: channel, among: ports)
      guard before != now else { continue }
      let (gone, come) = Self.difference(before, now)
      for pair in gone.map({ rule.pair(of: channel, with: $0) }) {
        stopAsking(for: pair, owner: rule.owner)
        changed.append(pair)
      }
      for pair in come.map({ rule.pair(of: channel, with: $0) }) {
        askers[pair, default: []].append(rule.owner)
        changed.append(pair)
      }
      entries[number]?.found[index] = now
    }
    return changed
  }

  /// The names that only one of two lists has; a single name that has come or gone costs no more in a long list.
  private static func difference(_ first: [String], _ second: [String]) -> (
    Set<String>, Set<String>
  ) {
    let start = zip(first, second).prefix { $0 == $1 }.count
    let rest = (first.dropFirst(start), second.dropFirst(start))
    let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
    let (left, right) = (Set(rest.0.dropLast(end)), Set(rest.1.dropLast(end)))
    return (left.subtracting(right), right.subtracting(left))
  }

  private mutating func stopAsking(for pair: ConnectionPair, owner: String) {
    guard let place = askers[pair]?.firstIndex(of: owner) else { return }
    askers[pair]?.remove(at: place)
    if askers[pair]?.isEmpty == true { askers[pair] = nil }
  }

  // MARK: - Questions

  /// The names of all owners.
  var owners: some Sequence<String> { byOwner.keys }

  /// The connections that are asked for now.
  var askedPairs: some Sequence<ConnectionPair> { askers.keys }

  /// The owners that ask for a connection now.
  func owners(askingFor pair: ConnectionPair) -> [String] { askers[pair] ?? [] }

  /// Whether every channel of an owner finds a port; never for one without rules.
  func isSatisfied(_ owner: String) -> Bool {
    guard byOwner[owner] != nil else { return false }
    return entries(of: owner).allSatisfy { entry in entry.found.allSatisfy { !$0.isEmpty } }
  }

  /// The foreign ports that an owner's rules find now, channel by channel.
  func foundPorts(of owner: String) -> [String] { entries(of: owner).flatMap { $0.found.joined() } }

  /// The host's ports of an owner, each once, in order of its channels, with the foreign ports that are found for it.
  func channels(of owner: String) -> [(ownPort: String, found: [String])] {
    var places: [String: Int] = [:]
    var channels: [(ownPort: String, found: [String])] = []
    for entry in entries(of: owner) {
      for (channel, found) in zip(entry.rule.channels, entry.found) {
        if let place = places[channel.ownPort] {
          channels[place].found += found
        } else {
          places[channel.ownPort] = channels.count
          channels.append((channel.ownPort, found))
        }
      }
    }
    return channels
  }

  /// The host's ports of an owner, channel by channel.
  func ownPorts(of owner: String) -> [String] {
    entries(of: owner).flatMap { $0.rule.channels.map(\.ownPort) }
  }

  /// The owners with a channel of a port of the host.
  func owners(ofPort port: String) -> [String] {
    (byOwnPort[port] ?? []).compactMap { entries[$0]?.rule.owner }
  }

  private func entries(of owner: String) -> [Entry] {
    (byOwner[owner] ?? []).compactMap { entries[$0] }
  }
}

extension Dictionary where Value == Set<Int> {
  /// Takes a number out of the set of a key; an empty set goes.
  fileprivate mutating func remove(_ number: Int, of key: Key) {
    self[key]?.remove(number)
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}
