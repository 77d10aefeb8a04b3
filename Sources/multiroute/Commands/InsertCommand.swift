// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `multiroute insert`: the effects of a strip or route of a running host.
struct InsertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert",
    abstract: "Put nodes on a strip or route, in the order of the signal; none takes them away.",
    discussion: "Example: multiroute insert --strip deck-a equalizer delay",
  )

  @OptionGroup var host: HostOption
  @OptionGroup var options: MixTargetOptions
  @Option(help: "How much of the effects is heard, 0 to 1; as it was when left out.")
  var wet: Double?
  @Argument(help: "Names of nodes.") var nodes: [String] = []

  func run() async throws {
    let params = SetInserts.Params(target: try options.required(), nodes: nodes, wet: wet)
    try await host.withClient { _ = try await $0.call(SetInserts.self, params) }
  }
}

/// `multiroute bypass`: leaves one effect out.
struct BypassCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bypass",
    abstract: "Bypass an effect of a strip or route, or let it be heard again.",
  )

  @OptionGroup var host: HostOption
  @OptionGroup var options: MixTargetOptions
  @Argument(help: "The node.") var node: String
  @Argument(help: "on bypasses it.") var state: Switch

  func run() async throws {
    let params = SetBypass.Params(
      target: try options.required(),
      node: node,
      bypassed: state.isOn,
    )
    try await host.withClient { _ = try await $0.call(SetBypass.self, params) }
  }
}
