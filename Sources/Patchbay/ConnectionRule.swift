// SPDX-License-Identifier: MIT

package import GraphFiles

/// Connections that the graph or a session asks for: ports of the host, channel by channel, and the foreign ports that
/// each is to be connected with.
///
/// Pure value: [any-thread].
package struct ConnectionRule: Sendable {
  /// The direction of the audio, seen from the host's ports.
  package enum Direction: Sendable {
    /// From a foreign output port to an input port of the host.
    case intoHost
    /// From an output port of the host to a foreign input port.
    case outOfHost
  }

  /// The foreign ports that a port of the host is connected with.
  package enum Target: Sendable {
    /// The port with this name or alias.
    case named(String)
    /// Every port that matches.
    case matching(PortPattern)
    /// All ports that match, dealt in natural order to the channels in turn: those dealt to this channel. A single port
    /// goes to every channel.
    case dealt([PortPattern], channel: Int, channels: Int)
    /// As `dealt`, separately for each client. A single port goes to the first channel only, because the client may
    /// be about to register more.
    case dealtByClient([PortPattern], channel: Int, channels: Int)
    /// The physical port of this index, counted from 0 in natural order.
    case physical(index: Int)

    /// The target that a graph file writes as a name or a pattern.
    package init(_ selector: PortSelector) {
      switch selector {
      case .name(let name): self = .named(name)
      case .pattern(let pattern): self = .matching(pattern)
      }
    }
  }

  /// A port of the host and its target.
  package struct Channel: Sendable {
    /// The full name of the host's port.
    package let ownPort: String
    /// The foreign ports to connect it with.
    package let target: Target

    /// Makes a channel from its parts.
    package init(ownPort: String, target: Target) {
      self.ownPort = ownPort
      self.target = target
    }
  }

  /// The name of the route or source that the rule belongs to.
  package let owner: String
  /// The direction of the audio.
  package let direction: Direction
  /// The channels, in order.
  package let channels: [Channel]

  /// Makes a rule from its parts.
  package init(owner: String, direction: Direction, channels: [Channel]) {
    self.owner = owner
    self.direction = direction
    self.channels = channels
  }

  /// The connection of a channel with a foreign port.
  func pair(of channel: Channel, with other: String) -> ConnectionPair {
    switch direction {
    case .intoHost: ConnectionPair(source: other, destination: channel.ownPort)
    case .outOfHost: ConnectionPair(source: channel.ownPort, destination: other)
    }
  }

  /// The foreign ports that a channel finds among the ports that exist; none while its own port is not there.
  func foreignPorts(of channel: Channel, among ports: PortDirectory) -> [String] {
    guard ports.contains(channel.ownPort) else { return [] }
    switch channel.target {
    case .named(let name):
      return [ports.canonicalName(of: name, facing: direction)].compactMap { $0 }
    case .matching(let pattern):
      return ports.matching(pattern, facing: direction)
    case .dealt(let patterns, let channel, let channels):
      return Self.deal(matching(patterns, among: ports), channel, channels)
    case .dealtByClient(let patterns, let channel, let channels):
      let clients = Dictionary(grouping: matching(patterns, among: ports)) {
        $0.prefix { $0 != ":" }
      }
      return clients.sorted { $0.key < $1.key }.flatMap { Self.take($0.value, channel, channels) }
    case .physical(let index):
      let physical = ports.physical(facing: direction)
      return index < physical.count ? [physical[index]] : []
    }
  }

  private func matching(_ patterns: [PortPattern], among ports: PortDirectory) -> [String] {
    let found = patterns.map { ports.found(PortQuery(.name($0), facing: direction)) }
    guard found.count > 1 else { return found.first ?? [] }
    return Set(found.joined()).sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  private static func deal(_ ports: [String], _ channel: Int, _ channels: Int) -> [String] {
    ports.count == 1 ? ports : take(ports, channel, channels)
  }

  private static func take(_ ports: [String], _ channel: Int, _ channels: Int) -> [String] {
    ports.enumerated().filter { $0.offset % channels == channel }.map(\.element)
  }
}
