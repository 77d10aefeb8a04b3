// SPDX-License-Identifier: MIT

package import GraphFiles
package import JACK

/// The audio ports that exist on the server, kept up to date from JACK's notifications.
///
/// It keeps the answers ready that are asked for again and again: a client's ports, the hardware, watched questions. So a
/// port that comes or goes costs the same however many others there are. Pure value: [any-thread].
package struct PortDirectory: Sendable {
  /// The consequences of a change of one port.
  package struct Change: Sendable {
    /// The names by which the port is or was known.
    var names: [String]
    /// The watched questions that have another answer.
    var queries: [PortQuery] = []
  }

  private var ownPorts: Set<String>
  private var ports: [String: PortInfo] = [:]
  private var nameOfAlias: [String: String] = [:]
  /// The ports of each foreign client, in natural order.
  private var namesByClient: [String: [String]] = [:]
  /// The answers that are kept, in natural order, each with the number of those that watch it.
  private var answers: [PortQuery: (names: [String], watchers: Int)] = [:]
  /// Answers that were found beforehand, for questions that are about to be watched.
  private var prepared: PreparedAnswers?
  /// How many questions were put to single ports.
  private(set) var visits = 0

  /// Makes an empty directory.
  ///
  /// - Parameter ownPorts: The full names of the host's own ports; no pattern matches them.
  package init(ownPorts: Set<String>) {
    self.ownPorts = ownPorts
    for direction in [ConnectionRule.Direction.intoHost, .outOfHost] {
      watch(PortQuery(.physical, facing: direction))
    }
  }

  // MARK: - Changes

  /// Adds ports of the host.
  ///
  /// - Returns: The consequences for ports that exist.
  @discardableResult
  mutating func addOwnPorts(_ names: Set<String>) -> [Change] {
    names.subtracting(ownPorts).compactMap { name in
      let change = ports[name].map { unlist($0) }
      ownPorts.insert(name)
      return change
    }
  }

  /// Adds or replaces a port; ports without audio are left out.
  ///
  /// - Returns: The consequences; nil for a port that is known already.
  @discardableResult
  package mutating func insert(_ port: PortInfo) -> Change? {
    guard port.isAudio, ports[port.name] != port else { return nil }
    var change = ports[port.name].map { unlist($0) } ?? Change(names: [port.name])
    ports[port.name] = port
    for alias in port.aliases { nameOfAlias[alias] = port.name }
    change.names += port.aliases
    guard !ownPorts.contains(port.name) else { return change }
    namesByClient[port.client, default: []].insertNaturally(port.name)
    let matched = queries(answeredBy: port)
    for query in matched { answers[query]?.names.insertNaturally(port.name) }
    change.queries += matched
    return change
  }

  /// Forgets a port.
  ///
  /// - Returns: The consequences; nil for an unknown port.
  @discardableResult
  package mutating func remove(_ name: String) -> Change? {
    guard let port = ports[name] else { return nil }
    let change = unlist(port)
    ports[name] = nil
    for alias in port.aliases { nameOfAlias[alias] = nil }
    return change
  }

  /// Forgets all ports; what is watched stays so.
  mutating func removeAll() {
    ports.removeAll()
    nameOfAlias.removeAll()
    namesByClient.removeAll()
    for query in answers.keys { answers[query]?.names.removeAll() }
  }

  /// Keeps the answer to a question ready from now on.
  mutating func watch(_ query: PortQuery) {
    if answers[query] == nil { answers[query] = (search(query), 0) }
    answers[query]?.watchers += 1
  }

  /// Keeps an answer ready no longer, where nobody else watches it.
  mutating func unwatch(_ query: PortQuery) {
    answers[query]?.watchers -= 1
    if answers[query]?.watchers == 0 { answers[query] = nil }
  }

  /// Finds the ports whose names match, for ``use(_:)``.
  ///
  /// Meant for a copy of a directory on another thread, because the time is that of each pattern with each port.
  /// [any-thread]
  package func prepareAnswers(
    to patterns: [PortPattern],
    facing direction: ConnectionRule.Direction,
  ) -> PreparedAnswers {
    let queries = Set(patterns.map { PortQuery(.name($0), facing: direction) })
    return PreparedAnswers(
      ports: ports,
      names: Dictionary(uniqueKeysWithValues: queries.map { ($0, found($0)) })
    )
  }

  /// Has answers at hand for questions that are watched from now on; nil for none.
  mutating func use(_ prepared: PreparedAnswers?) { self.prepared = prepared }

  /// Takes a port out of all answers.
  private mutating func unlist(_ port: PortInfo) -> Change {
    var change = Change(names: [port.name] + port.aliases)
    guard !ownPorts.contains(port.name) else { return change }
    namesByClient[port.client]?.removeNaturally(port.name)
    if namesByClient[port.client]?.isEmpty == true { namesByClient[port.client] = nil }
    change.queries = queries(answeredBy: port)
    for query in change.queries { answers[query]?.names.removeNaturally(port.name) }
    return change
  }

  private mutating func queries(answeredBy port: PortInfo) -> [PortQuery] {
    visits += answers.count
    return answers.keys.filter { $0.matches(port) }
  }

  // MARK: - Questions

  /// Whether a port of that full name exists.
  package func contains(_ name: String) -> Bool { ports[name] != nil }

  /// The port of that full name; nil for an unknown one.
  package func info(of name: String) -> PortInfo? { ports[name] }

  /// Whether a port is a foreign physical output port: a capture of the hardware.
  package func isPhysical(_ name: String) -> Bool {
    guard let port = ports[name], !ownPorts.contains(name) else { return false }
    return port.isPhysical && port.isOutput
  }

  /// The names of the foreign clients that have audio ports.
  package var clients: some Sequence<String> { namesByClient.keys }

  /// Whether a foreign client has an audio port.
  package func hasPorts(ofClient client: String) -> Bool { namesByClient[client] != nil }

  /// The full names of a foreign client's ports of one direction, in natural order.
  package func ports(
    ofClient client: String,
    facing direction: ConnectionRule.Direction,
  ) -> [String] {
    (namesByClient[client] ?? []).filter { ports[$0]?.faces(direction) == true }
  }

  /// The full name of the port with this name or alias; nil without one of that direction.
  package func canonicalName(
    of name: String,
    facing direction: ConnectionRule.Direction,
  ) -> String? {
    let full = ports[name] != nil ? name : nameOfAlias[name]
    guard let full, let port = ports[full], port.faces(direction) else { return nil }
    return full
  }

  /// The full names of the foreign ports that match by name or alias, in natural order.
  package func matching(
    _ pattern: PortPattern,
    facing direction: ConnectionRule.Direction,
  ) -> [String] {
    found(PortQuery(.nameOrAlias(pattern), facing: direction))
  }

  /// The full names of the foreign ports that match by name, in natural order.
  package func named(
    _ pattern: PortPattern,
    facing direction: ConnectionRule.Direction,
  ) -> [String] {
    found(PortQuery(.name(pattern), facing: direction))
  }

  /// Whether a foreign port matches by name; at once for a pattern that is watched.
  package func isNamed(
    _ name: String,
    by pattern: PortPattern,
    facing direction: ConnectionRule.Direction,
  ) -> Bool {
    let query = PortQuery(.name(pattern), facing: direction)
    if let answer = answers[query] { return answer.names.containsNaturally(name) }
    guard let port = ports[name], !ownPorts.contains(name) else { return false }
    return query.matches(port)
  }

  /// The full names of the foreign physical ports, in natural order.
  package func physical(facing direction: ConnectionRule.Direction) -> [String] {
    found(PortQuery(.physical, facing: direction))
  }

  /// Whether a client has a physical port of either direction.
  package func hasPhysicalPort(ofClient client: String) -> Bool {
    (namesByClient[client] ?? []).contains { ports[$0]?.isPhysical == true }
  }

  /// The full names of all foreign ports, in natural order.
  package func all(facing direction: ConnectionRule.Direction) -> [String] {
    foreign { $0.faces(direction) }
  }

  /// The full names of the ports that answer a question, in natural order; at once for one that is watched.
  func found(_ query: PortQuery) -> [String] { answers[query]?.names ?? search(query) }

  private func search(_ query: PortQuery) -> [String] {
    guard let names = prepared?.names(for: query, among: ports) else {
      return foreign(where: query.matches)
    }
    return names.filter { !ownPorts.contains($0) }
  }

  private func foreign(where isIncluded: (PortInfo) -> Bool) -> [String] {
    ports.values.filter { !ownPorts.contains($0.name) && isIncluded($0) }.map(\.name)
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }
}
