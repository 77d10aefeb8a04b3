// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Mixing

/// The ports of the host's main client and of its source client, in their order.
///
/// Pure value: [any-thread].
struct PortLayout: Sendable, Equatable {
  /// A strip, a route or a source with its number of channels.
  struct Group: Sendable, Equatable {
    let id: String
    let channels: Int
  }

  /// The strips, in the order of the mix.
  var strips: [Group]
  /// The output routes, in the order of the mix.
  var routes: [Group]
  /// The sources that the host plays.
  var sources: [Group]
  /// Names for people, by strip and route.
  var labels: [String: String]
  /// The strips that a node feeds, whose sound comes in at ports of a separate client.
  var nodeStrips: [Group]
  /// The MIDI controllers.
  var controllers: [ControllerDevice]

  /// The ports that a mix, the sources of a graph and MIDI controllers need.
  init(
    _ spec: MixSpec,
    bank: SourceBank,
    graph: GraphFile,
    controllers: [ControllerDevice],
  ) {
    strips = spec.strips.map { Group(id: $0.id, channels: $0.channels) }
    routes = spec.routes.map { Group(id: $0.id, channels: $0.channels) }
    sources = bank.groups
    labels = graph.portLabels
    let nodes = graph.nodeSources
    nodeStrips = strips.filter { nodes[$0.id] != nil }
    self.controllers = controllers
  }
}

/// The sources and routes whose ports get other names.
///
/// Pure value: [any-thread].
struct PortRenames: Sendable, Equatable {
  /// The new name of each strip with its source, by the present one.
  var strips: [String: String] = [:]
  /// The new name of each route, by the present one.
  var routes: [String: String] = [:]

  var isEmpty: Bool { strips.isEmpty && routes.isEmpty }
  /// The renames that undo these.
  var inverted: PortRenames {
    PortRenames(
      strips: Dictionary(strips.map { ($1, $0) }) { first, _ in first },
      routes: Dictionary(routes.map { ($1, $0) }) { first, _ in first },
    )
  }
}

extension SourceBank {
  /// The players and tones with their numbers of channels.
  var groups: [PortLayout.Group] {
    generated.map { PortLayout.Group(id: $0.name, channels: channels[$0.name] ?? 1) }
  }

  /// The players and tones for the client that plays them.
  var playing: [(id: String, channels: Int, source: HostSource)] {
    generated.map { ($0.name, channels[$0.name] ?? 1, $0.source) }
  }
}

extension GraphFile {
  /// The names for people of sources and routes, where the graph has any. [any-thread]
  var portLabels: [String: String] {
    let named = sources.map { ($0.name, $0.label) } + routes.map { ($0.name, $0.label) }
    return Dictionary(named.compactMap { name, label in label.map { (name, $0) } }) { first, _ in
      first
    }
  }
}
