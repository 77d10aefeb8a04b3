// SPDX-License-Identifier: MIT

internal import GraphFiles

/// A JACK client that the host has given a session: its outputs, and at which ports of the hardware each
/// one is to be heard.
///
/// JACK does not tell who has connected two ports. What a client is connected to within
/// `startNanoseconds` of its appearance counts as its own doing, what comes later as its user's.
/// Connections of one port that come within `togetherNanoseconds` of each other belong together; a later one
/// moves the port to where it leads.
///
/// Pure: what is connected goes in, what is wanted comes out.
struct AdoptedClient: Sendable {
  /// How long after its appearance a client connects itself.
  static let startNanoseconds: UInt64 = 2_000_000_000
  /// How long after its appearance most clients have connected themselves.
  static let arrivalNanoseconds: UInt64 = 250_000_000
  /// How far apart connections that belong together are.
  static let togetherNanoseconds: UInt64 = 2_000_000_000

  /// The client's name.
  let name: String
  /// The rule that adopts it.
  let rule: GraphFile.Adoption
  /// Its outputs by full name: each feeds the channel of its place, counted round.
  private(set) var ports: [String]
  /// The hardware's ports that each output is heard at.
  private(set) var destinations: [String: Set<String>]
  /// Whether its user has said where it is heard, and not it itself.
  private(set) var isPlacedByHand: Bool
  /// All that each output is connected to.
  private(set) var connections: [String: Set<String>] = [:]
  /// How often the host may take a connection to the hardware away until it gives way (INT-1).
  var budget = EnforcementBudget(limit: 20)

  private let appearedNanoseconds: UInt64
  /// Connections that were found before JACK told of them, by output.
  private var foundEarly: [String: Set<String>] = [:]
  private var placedAtNanoseconds: [String: UInt64] = [:]

  /// Takes in a client.
  ///
  /// - Parameters:
  ///   - name: The client's name.
  ///   - rule: The rule that adopts it.
  ///   - ports: Its outputs by full name, in natural order.
  ///   - nowNanoseconds: The time on any clock that never goes back.
  init(
    name: String,
    rule: GraphFile.Adoption,
    ports: [String],
    nowNanoseconds: UInt64,
  ) {
    self.name = name
    self.rule = rule
    self.ports = ports
    destinations = [:]
    isPlacedByHand = false
    appearedNanoseconds = nowNanoseconds
  }

  /// How many channels its strip needs, 1…64.
  var channels: Int { min(max(rule.channels ?? ports.count, 1), 64) }

  /// Whether the graph file says where it is heard, and nobody has said otherwise.
  var followsRule: Bool { !rule.routes.isEmpty && !isPlacedByHand }

  /// The ports of the hardware that it is heard at, by short names of its outputs.
  var placements: [String: Set<String>] {
    let prefix = name.count + 1
    return Dictionary(
      uniqueKeysWithValues: destinations.map { (String($0.key.dropFirst(prefix)), $0.value) }
    )
  }

  /// Whether it may still be connecting itself.
  func isStarting(nowNanoseconds: UInt64) -> Bool {
    nowNanoseconds &- appearedNanoseconds < Self.startNanoseconds
  }

  /// Whether it is so new that it is likely to be connecting itself at this moment.
  func isArriving(nowNanoseconds: UInt64) -> Bool {
    nowNanoseconds &- appearedNanoseconds < Self.arrivalNanoseconds
  }

  /// The channel of the strip that an output feeds, counted from 0.
  func channel(of port: String) -> Int? { ports.firstIndex(of: port).map { $0 % channels } }

  /// Whether an output is to feed the strip.
  func feedsStrip(_ port: String) -> Bool {
    followsRule || !(destinations[port] ?? []).isEmpty
  }

  // MARK: - What has happened

  /// Puts it where it was heard before.
  mutating func restore(_ placements: [String: Set<String>], byHand: Bool) {
    destinations = Dictionary(
      uniqueKeysWithValues: placements.map { ("\(name):\($0.key)", $0.value) }
    )
    isPlacedByHand = byHand
  }

  /// Further outputs have come.
  mutating func add(ports new: [String]) {
    ports += new.filter { !ports.contains($0) }
  }

  /// An output has been connected, to whatever.
  ///
  /// - Returns: Whether that is news.
  mutating func connected(_ port: String, to other: String) -> Bool {
    if foundEarly[port]?.remove(other) != nil { return false }
    connections[port, default: []].insert(other)
    return true
  }

  /// An output was found connected, which JACK is about to tell.
  ///
  /// - Returns: Whether that is news.
  mutating func found(_ port: String, connectedTo other: String) -> Bool {
    guard connections[port, default: []].insert(other).inserted else { return false }
    foundEarly[port, default: []].insert(other)
    return true
  }

  /// An output has been disconnected.
  mutating func disconnected(_ port: String, from other: String) {
    foundEarly[port]?.remove(other)
    connections[port]?.remove(other)
  }

  /// An output has been connected to the hardware past its strip: it wants to be heard there.
  ///
  /// - Parameters:
  ///   - port: The output.
  ///   - hardware: The port of the hardware.
  ///   - nowNanoseconds: When.
  /// - Returns: Whether it is heard elsewhere than before.
  mutating func place(_ port: String, at hardware: String, nowNanoseconds: UInt64) -> Bool {
    let isByItself = isStarting(nowNanoseconds: nowNanoseconds)
    // What the graph file or its user says counts more than what it does by itself.
    guard !isByItself || !followsRule && !isPlacedByHand else { return false }
    let isFirst = !isByItself && !isPlacedByHand && !rule.routes.isEmpty
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
