// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK

/// The audio ports that exist, kept from JACK's notifications.
struct PortDirectory: Sendable {
  private var ownPorts: Set<String>
  private var ports: [String: PortInfo] = [:]
  /// The names of all ports in natural order: sorted once, as they are asked for often.
  private var names: [String] = []
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

  /// What is known of the port of that full name.
  func info(of name: String) -> PortInfo? { ports[name] }

  /// Takes a port in, or what has changed of it; ports that carry no audio are left out.
  mutating func insert(_ port: PortInfo) {
    guard port.isAudio else { return }
    if ports.updateValue(port, forKey: port.name) == nil {
      names.insert(port.name, at: place(of: port.name))
    }
    for alias in port.aliases { nameOfAlias[alias] = port.name }
  }

  /// Forgets a port.
  mutating func remove(_ name: String) {
    guard let port = ports.removeValue(forKey: name) else { return }
    names.remove(at: place(of: name))
    for alias in port.aliases { nameOfAlias[alias] = nil }
  }

  /// Forgets all ports.
  mutating func removeAll() {
    ports.removeAll()
    names.removeAll()
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
    names.filter { name in
      guard let port = ports[name], port.faces(direction), !ownPorts.contains(name) else {
        return false
      }
      return isMeant(port)
    }
  }

  /// Where a name stands, or would stand.
  private func place(of name: String) -> Int {
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if NaturalOrder.areInIncreasingOrder(names[middle], name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
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
