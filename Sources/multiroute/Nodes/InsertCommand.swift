// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket

/// `multiroute insert`: sets the inserts of a strip or route of a running host.
struct InsertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Set the inserts of a strip or route, in signal order; no nodes: remove all.",
    usage: "multiroute insert <target> [<node> ...] [--wet <share>] [--host <name>]",
    discussion: "Example: multiroute insert deck-a equalizer delay",
  )

  @OptionGroup var host: HostOption
  @OptionGroup var arguments: ChainArguments
  @Option(
    help: ArgumentHelp(
      "The share of the inserts' sound, such as 50% or 0.5. Default: unchanged.",
      valueName: "share",
    ),
    transform: QuantityArgument.share,
  )
  var wet: Double?

  func validate() throws { _ = try arguments.parts }

  func run() async throws {
    let (named, nodes) = try arguments.parts
    try await host.withClient { client in
      let params = SetInserts.Params(target: try await named.target(client), nodes: nodes, wet: wet)
      _ = try await client.call(SetInserts.self, params)
    }
  }
}

/// `multiroute bypass`: leaves one insert out of its chain, or puts it back.
struct BypassCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bypass",
    abstract: "Bypass an insert of a strip or route, or let it be heard again.",
    usage: "multiroute bypass <target> <node> on|off [--host <name>]",
    discussion: "Example: multiroute bypass deck-a delay on",
  )

  @OptionGroup var host: HostOption
  @OptionGroup var arguments: ChainArguments

  func validate() throws { _ = try parts }

  private var parts: (target: NamedTarget, node: String, state: Switch) {
    get throws {
      let (target, words) = try arguments.parts
      guard words.count == 2, let state = Switch(rawValue: words[1]) else {
        throw ValidationError("write the node and its state after the target; allowed: NODE on|off")
      }
      return (target, words[0], state)
    }
  }

  func run() async throws {
    let (named, node, state) = try parts
    try await host.withClient { client in
      let params = SetBypass.Params(
        target: try await named.target(client),
        node: node,
        bypassed: state.isOn,
      )
      _ = try await client.call(SetBypass.self, params)
    }
  }
}

/// A strip or route, and words about its inserts after it.
///
/// Pure value: [any-thread].
struct ChainArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A strip or a route, then the names of nodes.", valueName: "target"),
    completion: LiveNames.inserts,
  )
  var words: [String] = []

  // The spelling of version 0.2.
  @Option(help: .hidden) var strip: String?
  @Option(help: .hidden) var route: String?

  /// The target, and the words after it.
  var parts: (target: NamedTarget, words: [String]) {
    get throws {
      if let target = MixTarget(strip: strip, route: route) { return (.known(target), words) }
      guard let first = words.first else {
        throw ValidationError("the target is missing: name a strip or a route")
      }
      return (.named(first), Array(words.dropFirst()))
    }
  }
}
