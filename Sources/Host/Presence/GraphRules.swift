// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import Patchbay

/// The connections that a graph asks for, in terms of port names. [any-thread]
enum GraphRules {
  /// Makes the rules.
  ///
  /// - Parameters:
  ///   - graph: A graph without errors.
  ///   - channels: The number of channels of each source, by name.
  ///   - mixClient: The name of the main client as JACK gave it.
  ///   - sourceClient: The name of the source client, where there is one.
  /// - Returns: A rule for each source and each output route.
  static func rules(
    of graph: GraphFile,
    channels: [String: Int],
    mixClient: String,
    sourceClient: String?,
  ) -> [ConnectionRule] {
    let sources = graph.sources.map { source in
      let count = channels[source.name] ?? 1
      let targets = targets(of: source, channels: count, in: graph, sourceClient: sourceClient)
      return ConnectionRule(
        owner: source.name,
        direction: .intoHost,
        channels: (0..<count).flatMap { channel in
          targets[channel].map { target in
            ConnectionRule.Channel(
              ownPort: "\(mixClient):\(PortNames.strip(source.name, channel: channel))",
              target: target,
            )
          }
        },
      )
    }
    let routes = graph.outputRoutes.map { route in
      ConnectionRule(
        owner: route.name,
        direction: .outOfHost,
        channels: route.ports.enumerated().map { channel, selector in
          ConnectionRule.Channel(
            ownPort: "\(mixClient):\(PortNames.route(route.name, channel: channel))",
            target: ConnectionRule.Target(selector),
          )
        },
      )
    }
    return sources + routes
  }

  /// The ports that each channel of a source connects to; empty for a channel without a
  /// counterpart.
  private static func targets(
    of source: GraphFile.Source,
    channels: Int,
    in graph: GraphFile,
    sourceClient: String?,
  ) -> [[ConnectionRule.Target]] {
    switch source.kind {
    case .file, .tone:
      return (0..<channels).map { channel in
        sourceClient.map {
          [.named("\($0):\(PortNames.source(source.name, channel: channel))")]
        } ?? []
      }
    case .systemInput:
      return (0..<channels).map { [.physical(index: $0)] }
    case .inputRoute(let name):
      let ports = graph.route(named: name)?.ports ?? []
      return (0..<channels).map { $0 < ports.count ? [ConnectionRule.Target(ports[$0])] : [] }
    case .node:
      // A node's ports are known only when it has published itself.
      return (0..<channels).map { _ in [] }
    case .ports(let selectors):
      return (0..<channels).map {
        $0 < selectors.count ? [ConnectionRule.Target(selectors[$0])] : []
      }
    }
  }
}
