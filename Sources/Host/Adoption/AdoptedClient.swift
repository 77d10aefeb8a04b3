// SPDX-License-Identifier: MIT

internal import GraphFiles

/// A JACK client that the host has given a session, or the part of it that has one of several strips: its outputs, and the
/// hardware ports at which each one is to be heard.
///
/// JACK does not report who connected two ports. Connections within `startNanoseconds` of a client's appearance
/// count as its own; later ones count as its user's. Connections of one port that come within
/// `togetherNanoseconds` of each other belong together; a later one moves the port to its destination.
///
/// Pure value: the events of connections go in, the wanted connections come out. [any-thread]
struct AdoptedClient: Sendable {
  /// The time after its appearance in which a client connects itself.
  static let startNanoseconds: UInt64 = 2_000_000_000
  /// The time after its appearance in which most clients have connected themselves.
  static let arrivalNanoseconds: UInt64 = 250_000_000
  /// The longest time between connections that belong together.
  static let togetherNanoseconds: UInt64 = 2_000_000_000

  /// The client's name.
  let name: String
  /// The rule that adopts it.
  private(set) var rule: GraphFile.Adoption
  /// The strip that its rule gives these outputs; nil where one strip has all.
  private(set) var strip: GraphFile.AdoptedStrip?
  /// Its outputs by full name.
  ///
  /// The output at index i feeds channel i, modulo the number of channels that its rule gives.
  private(set) var ports: [String]
  /// The hardware ports at which each output is to be heard.
  private(set) var destinations: [String: Set<String>]
  /// Whether its user, and not the client itself, chose these ports.
  private(set) var isPlacedByHand: Bool
  /// The ports that each output is connected to.
  private(set) var connections: [String: Set<String>] = [:]
  /// The direct connections of each output that the host may still remove before it gives way (INT-1).
  private var budgets: [String: EnforcementBudget] = [:]
  /// The outputs at which it has given way.
  private var givenWay: Set<String> = []

  private let appearedNanoseconds: UInt64
  /// Connections that were found before JACK reported them, by output.
  private var foundEarly: [String: Set<String>] = [:]
  private var placedAtNanoseconds: [String: UInt64] = [:]

  /// Makes the state of a new client.
  ///
  /// - Parameters:
  ///   - name: The client's name.
  ///   - rule: The rule that adopts it.
  ///   - strip: The strip that the rule gives some outputs; nil for all outputs.
  ///   - ports: Its outputs by full name, in natural order.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  init(
    name: String,
    rule: GraphFile.Adoption,
    strip: GraphFile.AdoptedStrip? = nil,
    ports: [String],
    nowNanoseconds: UInt64,
  ) {
    self.name = name
    self.rule = rule
    self.strip = strip
    self.ports = ports
    destinations = [:]
    isPlacedByHand = false
    appearedNanoseconds = nowNanoseconds
  }

  /// The host's answer to a direct connection (INT-1).
  enum Verdict: Sendable, Equatable {
    /// It moves the output to its strip.
    case moves
    /// It gives way; `isNews` for the first time since it last moved one.
    case givesWay(isNews: Bool)
  }

  /// Takes one removed connection of an output out of that output's budget.
  ///
  /// - Parameters:
  ///   - port: The output.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  /// - Returns: Whether the host moves the output, or gives way.
  mutating func verdict(_ port: String, nowNanoseconds: UInt64) -> Verdict {
    let mayMove = budgets[port, default: EnforcementBudget(limit: 20)]
      .spend(nowNanoseconds: nowNanoseconds)
    guard !mayMove else {
      givenWay.remove(port)
      return .moves
    }
    let isNews = givenWay.isEmpty
    givenWay.insert(port)
    return .givesWay(isNews: isNews)
  }

  /// The number of channels that its strip needs.
  var channels: Int { max(strip?.ports.count ?? rule.channels ?? ports.count, 1) }

  /// The routes on which the graph file has it heard; empty where its own connections decide.
  var routes: [String] { strip?.routes ?? rule.routes }

  /// The levels with which its strip starts.
  var start: GraphFile.StartLevels { strip?.start ?? rule.start }

  /// The place at which displays show the level of its strip.
  var meterTap: GraphFile.MeterTap { strip?.meterTap ?? rule.meterTap }

  /// Whether the graph file decides where it is heard, and no user has decided otherwise.
  var followsRule: Bool { !routes.isEmpty && !isPlacedByHand }

  /// The hardware ports at which it is heard, by the short names of its outputs.
  var placements: [String: Set<String>] {
    let prefix = name.count + 1
    return Dictionary(
      uniqueKeysWithValues: destinations.map { (String($0.key.dropFirst(prefix)), $0.value) }
    )
  }

  /// Whether others connect and disconnect its outputs, and the host leaves them alone.
  var isPatchedByOthers: Bool { rule.patch == .theirs }

  /// Whether it may still be connecting itself.
  func isStarting(nowNanoseconds: UInt64) -> Bool {
    nowNanoseconds &- appearedNanoseconds < Self.startNanoseconds
  }

  /// Whether it is so new that it is probably connecting itself at this moment.
  func isArriving(nowNanoseconds: UInt64) -> Bool {
    nowNanoseconds &- appearedNanoseconds < Self.arrivalNanoseconds
  }

  /// The channel of the strip that an output feeds, counted from 0.
  func channel(of port: String) -> Int? {
    guard let strip else { return ports.firstIndex(of: port).map { $0 % channels } }
    return strip.ports.firstIndex(of: String(port.dropFirst(name.count + 1)))
  }

  /// The ports among these that are outputs of this part.
  func own(_ ports: [String]) -> [String] {
    guard let strip else { return ports }
    return ports.filter { strip.ports.contains(String($0.dropFirst(name.count + 1))) }
  }

  /// Whether an output is to feed the strip.
  func feedsStrip(_ port: String) -> Bool {
    !isPatchedByOthers && (followsRule || !(destinations[port] ?? []).isEmpty)
  }

  // MARK: - Events

  /// Restores the placement that it had before.
  mutating func restore(_ placements: [String: Set<String>], byHand: Bool) {
    let places = placements.map { ("\(name):\($0.key)", $0.value) }
    destinations = Dictionary(uniqueKeysWithValues: places.filter { !own([$0.0]).isEmpty })
    isPlacedByHand = byHand && !destinations.isEmpty
  }

  /// Takes another version of its rule, which differs in levels alone.
  mutating func take(_ rule: GraphFile.Adoption) {
    self.rule = rule
    if let name = strip?.name { strip = rule.strips.first { $0.name == name } ?? strip }
  }

  /// Adds further outputs.
  mutating func add(ports new: [String]) {
    ports += new.filter { !ports.contains($0) }
  }

  /// Gives an output another name: it keeps its channel, its place and its connections.
  mutating func rename(_ port: String, to name: String) {
    guard let index = ports.firstIndex(of: port), !ports.contains(name) else { return }
    ports[index] = name
    destinations[name] = destinations.removeValue(forKey: port)
    connections[name] = connections.removeValue(forKey: port)
    foundEarly[name] = foundEarly.removeValue(forKey: port)
    placedAtNanoseconds[name] = placedAtNanoseconds.removeValue(forKey: port)
    budgets[name] = budgets.removeValue(forKey: port)
    if givenWay.remove(port) != nil { givenWay.insert(name) }
  }

  /// Forgets where an output is heard that is none of this part any more; its channel stays, because the others keep theirs.
  mutating func forget(_ port: String) {
    destinations[port] = nil
    connections[port] = nil
    foundEarly[port] = nil
  }

  /// Takes in the connections that an output has, of which no report will come.
  ///
  /// - Returns: Those that were not known.
  mutating func read(_ port: String, _ others: Set<String>) -> Set<String> {
    let new = others.subtracting(connections[port] ?? [])
    connections[port] = others
    foundEarly[port] = nil
    return new
  }

  /// Notes a connection of an output, to any port.
  ///
  /// - Returns: Whether the connection is new.
  mutating func connected(_ port: String, to other: String) -> Bool {
    if foundEarly[port]?.remove(other) != nil { return false }
    connections[port, default: []].insert(other)
    return true
  }

  /// Notes a connection that was found before JACK's report of it.
  ///
  /// - Returns: Whether the connection is new.
  mutating func found(_ port: String, connectedTo other: String) -> Bool {
    guard connections[port, default: []].insert(other).inserted else { return false }
    foundEarly[port, default: []].insert(other)
    return true
  }

  /// Notes that an output was disconnected.
  mutating func disconnected(_ port: String, from other: String) {
    foundEarly[port]?.remove(other)
    connections[port]?.remove(other)
  }

  /// Notes a direct connection of an output to the hardware, which asks for the output to be heard there.
  ///
  /// - Parameters:
  ///   - port: The output.
  ///   - hardware: The hardware port.
  ///   - nowNanoseconds: The time.
  /// - Returns: Whether that changes where the output is heard.
  mutating func place(_ port: String, at hardware: String, nowNanoseconds: UInt64) -> Bool {
    guard !isPatchedByOthers else { return false }
    let isByItself = isStarting(nowNanoseconds: nowNanoseconds)
    // The choice of the graph file or of its user counts more than the client's own connections.
    guard !isByItself || !followsRule && !isPlacedByHand else { return false }
    let isFirst = !isByItself && !isPlacedByHand && !routes.isEmpty
    let isLater =
      placedAtNanoseconds[port].map { nowNanoseconds &- $0 >= Self.togetherNanoseconds } ?? true
    placedAtNanoseconds[port] = nowNanoseconds
    isPlacedByHand = isPlacedByHand || !isByItself
    if isFirst { destinations.removeAll() }
    let before = destinations[port] ?? []
    destinations[port] = isLater ? [hardware] : before.union([hardware])
    return destinations[port] != before
  }
}
