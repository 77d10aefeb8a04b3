// SPDX-License-Identifier: MIT

internal import GraphFiles

/// A wish from the graph: these ports of ours, channel by channel, with those ports of others.
struct ConnectionRule: Sendable {
  /// Which way the audio flows, seen from our ports.
  enum Direction: Sendable { case intoHost, outOfHost }

  /// What a port of ours is connected with.
  enum Target: Sendable {
    /// The port with this name or alias.
    case named(String)
    /// Every port that matches.
    case matching(PortPattern)
    /// Of all ports that match, in natural order, every one whose turn this channel is; a single one
    /// is every channel's.
    case dealt([PortPattern], channel: Int, channels: Int)
    /// The same for the ports of each client on their own; a single one is the first channel's only, as it may be
    /// the first of several that are just being made.
    case dealtByClient([PortPattern], channel: Int, channels: Int)
    /// The physical port of this index, counted from 0 in natural order.
    case physical(index: Int)

    init(_ selector: PortSelector) {
      switch selector {
      case .name(let name): self = .named(name)
      case .pattern(let pattern): self = .matching(pattern)
      }
    }
  }

  /// A port of ours and what it is connected with.
  struct Channel: Sendable {
    /// The full name of our port.
    let ownPort: String
    let target: Target
  }

  /// What the rule is for: a route's name or a source's.
  let owner: String
  let direction: Direction
  let channels: [Channel]

  /// The connections that the rule asks for among the ports that exist.
  func pairs(among ports: PortDirectory) -> [ConnectionPair] {
    channels.flatMap { channel in
      foreignPorts(of: channel, among: ports).map { other in
        switch direction {
        case .intoHost: ConnectionPair(source: other, destination: channel.ownPort)
        case .outOfHost: ConnectionPair(source: channel.ownPort, destination: other)
        }
      }
    }
  }

  /// Whether the rule asks for a connection among the ports that exist.
  func asks(for pair: ConnectionPair, among ports: PortDirectory) -> Bool {
    let (own, other) =
      direction == .intoHost ? (pair.destination, pair.source) : (pair.source, pair.destination)
    return channels.contains { channel in
      channel.ownPort == own && foreignPorts(of: channel, among: ports).contains(other)
    }
  }

  /// Whether every channel finds a port.
  func isSatisfied(among ports: PortDirectory) -> Bool {
    channels.allSatisfy { !foreignPorts(of: $0, among: ports).isEmpty }
  }

  /// The ports of others that the rule finds, channel by channel.
  func foundPorts(among ports: PortDirectory) -> [String] {
    channels.flatMap { foreignPorts(of: $0, among: ports) }
  }

  private func foreignPorts(of channel: Channel, among ports: PortDirectory) -> [String] {
    guard ports.contains(channel.ownPort) else { return [] }
    switch channel.target {
    case .named(let name):
      return [ports.canonicalName(of: name, facing: direction)].compactMap { $0 }
    case .matching(let pattern):
      return ports.matching(pattern, facing: direction)
    case .dealt(let patterns, let channel, let channels):
      let found = ports.all(facing: direction).filter { name in
        patterns.contains { $0.matches(name) }
      }
      return Self.deal(found, channel, channels)
    case .dealtByClient(let patterns, let channel, let channels):
      let found = ports.all(facing: direction).filter { name in
        patterns.contains { $0.matches(name) }
      }
      let clients = Dictionary(grouping: found) { $0.prefix { $0 != ":" } }
      return clients.sorted { $0.key < $1.key }.flatMap { Self.take($0.value, channel, channels) }
    case .physical(let index):
      let physical = ports.physical(facing: direction)
      return index < physical.count ? [physical[index]] : []
    }
  }

  private static func deal(_ ports: [String], _ channel: Int, _ channels: Int) -> [String] {
    ports.count == 1 ? ports : take(ports, channel, channels)
  }

  private static func take(_ ports: [String], _ channel: Int, _ channels: Int) -> [String] {
    ports.enumerated().filter { $0.offset % channels == channel }.map(\.element)
  }
}
