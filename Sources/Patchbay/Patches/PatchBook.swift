// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The patch rules in force, and the connections that they ask for among the ports that exist.
///
/// A port that comes or goes costs a match with each pattern, and a look at the rules that mean it. Pure value: [any-thread].
struct PatchBook: Sendable {
  /// The most connections that one rule asks for.
  static let limitOfRule = 4_096

  /// A rule with the ports that it means now.
  private struct Entry {
    let rule: GraphFile.PatchRule
    /// The groups of each output.
    var sources: [String: [String]] = [:]
    /// The inputs, where they are the same for each output.
    var destinations: Set<String> = []
    /// The inputs for these groups, where they are not.
    var selectors: [[String]: PortSelector] = [:]
    var count = 0
  }

  private var entries: [Entry] = []
  /// The rules of which the ports are named, by name: a port need not be matched with them.
  private var bySourceName: [String: [Int]] = [:]
  private var byDestinationName: [String: [Int]] = [:]
  /// The rules with patterns.
  private var sourcePatterns: [Int] = []
  private var destinationPatterns: [Int] = []

  private var ports: [String: PortInfo] = [:]
  /// The clients of the host, whose ports no pattern means.
  private var ownClients: Set<String> = []
  /// The rules that mean a port as their output, in order.
  private var rulesOfSource: [String: [Int]] = [:]
  /// The last `single` rule of a port.
  private var singles: [String: Int] = [:]
  /// The rule that asks for each connection.
  private(set) var asked: [ConnectionPair: Int] = [:]
  /// The connections that are asked for, by port.
  private(set) var askedByPort = PairIndex()
  /// The rules that ask for more connections than a rule may.
  private(set) var overfull: Set<Int> = []

  // MARK: - Rules

  /// The rules, in the order of the graph.
  var rules: [GraphFile.PatchRule] { entries.map(\.rule) }

  /// A rule by its place in the graph.
  func rule(_ index: Int) -> GraphFile.PatchRule { entries[index].rule }

  /// Replaces all rules.
  mutating func take(_ rules: [GraphFile.PatchRule]) {
    entries = rules.map { Entry(rule: $0) }
    bySourceName = [:]
    byDestinationName = [:]
    sourcePatterns = []
    destinationPatterns = []
    for (index, rule) in rules.enumerated() {
      if case .name(let name) = rule.source {
        bySourceName[name, default: []].append(index)
      } else {
        sourcePatterns.append(index)
      }
      switch rule.destination {
      case .selector(.name(let name))?: byDestinationName[name, default: []].append(index)
      case nil: break
      default: destinationPatterns.append(index)
      }
    }
    matchAll()
  }

  // MARK: - Ports

  /// Replaces all ports.
  mutating func reset(ports infos: [PortInfo], ownClients clients: Set<String>) {
    ownClients = clients
    ports = Dictionary(infos.map { ($0.name, $0) }) { first, _ in first }
    matchAll()
  }

  /// Adds or changes a port.
  mutating func insert(_ port: PortInfo) {
    guard ports[port.name] != port else { return }
    if ports[port.name] != nil { remove(port.name) }
    ports[port.name] = port
    match(port)
    for pair in possiblePairs(of: port) { ask(for: pair) }
  }

  /// Forgets a port.
  mutating func remove(_ name: String) {
    guard let port = ports.removeValue(forKey: name) else { return }
    for pair in askedByPort[name] { stopAsking(for: pair) }
    for index in rulesOfSource.removeValue(forKey: name) ?? [] {
      entries[index].sources[name] = nil
    }
    singles[name] = nil
    guard port.isInput else { return }
    for index in candidates(byDestinationName, destinationPatterns, of: port) {
      entries[index].destinations.remove(name)
    }
  }

  /// The port of this full name; nil for an unknown one.
  func info(of name: String) -> PortInfo? { ports[name] }

  // MARK: - Verdicts

  /// The rule that decides about a connection of two ports that exist; nil where none means it.
  func decision(about pair: ConnectionPair) -> Int? {
    let meant = (rulesOfSource[pair.source] ?? []).filter { means($0, pair) }
    return meant.last { entries[$0].rule.kind == .deny } ?? meant.last
  }

  /// Whether no other rule than one means a connection.
  func isOnlyMeant(_ pair: ConnectionPair, by index: Int) -> Bool {
    (rulesOfSource[pair.source] ?? []).allSatisfy { $0 == index || !means($0, pair) }
  }

  /// The last `single` rule of a port; nil without one.
  func single(at port: String) -> Int? { singles[port] }

  private func means(_ index: Int, _ pair: ConnectionPair) -> Bool {
    let entry = entries[index]
    guard entry.rule.kind != .single, let groups = entry.sources[pair.source] else { return false }
    if case .selector? = entry.rule.destination {
      return entry.destinations.contains(pair.destination)
    }
    guard let port = ports[pair.destination] else { return false }
    return selects(entry, groups, port)
  }

  private func selects(_ entry: Entry, _ groups: [String], _ port: PortInfo) -> Bool {
    guard let selector = entry.selectors[groups] else { return false }
    return isMeant(by: selector, port)
  }

  // MARK: - Matching

  private mutating func matchAll() {
    for index in entries.indices {
      entries[index].sources = [:]
      entries[index].destinations = []
      entries[index].count = 0
    }
    rulesOfSource = [:]
    singles = [:]
    asked = [:]
    askedByPort.removeAll()
    overfull = []
    // The deciding rule of a connection is known only when all ports are matched.
    let present = ports.values.sorted { $0.name < $1.name }
    for port in present { match(port) }
    for port in present where port.isOutput {
      for pair in possiblePairs(of: port).sorted() { ask(for: pair) }
    }
  }

  private mutating func match(_ port: PortInfo) {
    for index in candidates(bySourceName, sourcePatterns, of: port).sorted() {
      let rule = entries[index].rule
      guard rule.kind != .single else {
        if isMeant(by: rule.source, port) { singles[port.name] = index }
        continue
      }
      guard port.isOutput, isPatternAllowed(rule.source, port),
        let groups = rule.groups(ofSource: [port.name] + port.aliases)
      else { continue }
      entries[index].sources[port.name] = groups
      rulesOfSource[port.name, default: []].append(index)
      guard let destination = rule.destination, destination.needsGroups,
        entries[index].selectors[groups] == nil
      else { continue }
      entries[index].selectors[groups] = destination.selector(for: groups)
    }
    if port.isInput {
      for index in candidates(byDestinationName, destinationPatterns, of: port) {
        guard case .selector(let selector)? = entries[index].rule.destination,
          isMeant(by: selector, port)
        else { continue }
        entries[index].destinations.insert(port.name)
      }
    }
  }

  /// The connections of a port that some `connect` rule may mean.
  private func possiblePairs(of port: PortInfo) -> Set<ConnectionPair> {
    var pairs: Set<ConnectionPair> = []
    if port.isOutput {
      for index in rulesOfSource[port.name] ?? [] where entries[index].rule.kind == .connect {
        let entry = entries[index]
        for other in inputs(of: entry, for: entry.sources[port.name] ?? []) {
          pairs.insert(ConnectionPair(source: port.name, destination: other))
        }
      }
    }
    guard port.isInput else { return pairs }
    for index in candidates(byDestinationName, destinationPatterns, of: port)
    where entries[index].rule.kind == .connect {
      let entry = entries[index]
      let isFixed = entry.destinations.contains(port.name)
      for (source, groups) in entry.sources where isFixed || selects(entry, groups, port) {
        pairs.insert(ConnectionPair(source: source, destination: port.name))
      }
    }
    return pairs
  }

  private func inputs(of entry: Entry, for groups: [String]) -> Set<String> {
    guard entry.rule.destination?.needsGroups == true else { return entry.destinations }
    switch entry.selectors[groups] {
    case nil: return []
    case .name(let name)?: return ports[name]?.isInput == true ? [name] : []
    case let selector?:
      let found = ports.values.filter { $0.isInput && isMeant(by: selector, $0) }
      return Set(found.map(\.name))
    }
  }

  private mutating func ask(for pair: ConnectionPair) {
    guard let index = decision(about: pair), asked[pair] == nil,
      entries[index].rule.kind == .connect, isPossible(pair, by: entries[index].rule)
    else { return }
    guard entries[index].count < Self.limitOfRule else {
      overfull.insert(index)
      return
    }
    entries[index].count += 1
    asked[pair] = index
    askedByPort.insert(pair)
  }

  private mutating func stopAsking(for pair: ConnectionPair) {
    guard let index = asked.removeValue(forKey: pair) else { return }
    entries[index].count -= 1
    askedByPort.remove(pair)
  }

  /// Whether JACK can connect the ports; a pattern connects no client with itself.
  private func isPossible(_ pair: ConnectionPair, by rule: GraphFile.PatchRule) -> Bool {
    guard let source = ports[pair.source], let destination = ports[pair.destination] else {
      return false
    }
    return source.type == destination.type
      && (source.client != destination.client || rule.isExact)
  }

  private func candidates(_ named: [String: [Int]], _ patterns: [Int], of port: PortInfo) -> [Int] {
    ([port.name] + port.aliases).flatMap { named[$0] ?? [] } + patterns
  }

  private func isMeant(by selector: PortSelector, _ port: PortInfo) -> Bool {
    isPatternAllowed(selector, port)
      && ([port.name] + port.aliases).contains(where: selector.matches)
  }

  private func isPatternAllowed(_ selector: PortSelector, _ port: PortInfo) -> Bool {
    if case .pattern = selector { !ownClients.contains(port.client) } else { true }
  }
}

extension PortTemplate {
  /// Whether the inputs depend on the output.
  var needsGroups: Bool { if case .selector = self { false } else { true } }
}
