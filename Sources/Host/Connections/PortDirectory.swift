// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The audio ports that exist, kept from JACK's notifications.
struct PortDirectory: Sendable {
  private var ownPorts: Set<String>
  private var ports: [String: PortInfo] = [:]
  private var nameOfAlias: [String: String] = [:]

  /// Makes an empty directory.
  ///
  /// - Parameter ownPorts: The full names of the host's own ports; patterns never mean those.
  init(ownPorts: Set<String>) { self.ownPorts = ownPorts }

  /// Takes in more ports of the host's own.
  mutating func addOwnPorts(_ names: Set<String>) { ownPorts.formUnion(names) }

  /// Whether a port of that full name exists.
  func contains(_ name: String) -> Bool { ports[name] != nil }

  /// Whether a port stands for hardware that captures, and is none of ours.
  func isPhysical(_ name: String) -> Bool {
    guard let port = ports[name], !ownPorts.contains(name) else { return false }
    return port.isPhysical && port.isOutput
  }

  /// Whether a client has an audio port.
  func hasPorts(ofClient client: String) -> Bool { ports.values.contains { $0.client == client } }

  /// Takes a port in, or what has changed of it; ports that carry no audio are left out.
  mutating func insert(_ port: PortInfo) {
    guard port.isAudio else { return }
    ports[port.name] = port
    for alias in port.aliases { nameOfAlias[alias] = port.name }
  }

  /// Forgets a port.
  mutating func remove(_ name: String) {
    guard let port = ports.removeValue(forKey: name) else { return }
    for alias in port.aliases { nameOfAlias[alias] = nil }
  }

  /// Forgets all ports.
  mutating func removeAll() {
    ports.removeAll()
    nameOfAlias.removeAll()
  }

  /// The full name of the port with this name or alias, if it faces the way that is wanted.
  func canonicalName(of name: String, facing direction: ConnectionRule.Direction) -> String? {
    let full = ports[name] != nil ? name : nameOfAlias[name]
    guard let full, let port = ports[full], port.faces(direction) else { return nil }
    return full
  }

  /// The full names of the ports of others that match by name or alias, in natural order.
  func matching(_ pattern: PortPattern, facing direction: ConnectionRule.Direction) -> [String] {
    foreign(direction) { port in
      pattern.matches(port.name) || port.aliases.contains(where: pattern.matches)
    }
  }

  /// The full names of the physical ports, in natural order.
  func physical(facing direction: ConnectionRule.Direction) -> [String] {
    foreign(direction, where: \.isPhysical)
  }

  /// The full names of all ports of others, in natural order.
  func all(facing direction: ConnectionRule.Direction) -> [String] {
    foreign(direction) { _ in true }
  }

  private func foreign(
    _ direction: ConnectionRule.Direction,
    where isMeant: (PortInfo) -> Bool,
  ) -> [String] {
    ports.values
      .filter { $0.faces(direction) && !ownPorts.contains($0.name) && isMeant($0) }
      .map(\.name)
      .sorted(by: NaturalOrder.areInIncreasingOrder)
  }
}

extension PortInfo {
  fileprivate func faces(_ direction: ConnectionRule.Direction) -> Bool {
    switch direction {
    case .intoHost: isOutput
    case .outOfHost: isInput
    }
  }
}
