// SPDX-License-Identifier: MIT

import ArgumentParser
import CommandSupport
import ControlProtocol
import ControlSocket
import FoundationEssentials
import GraphFiles
import InterAppAudio
import JACK
import Logging
import NodeKit

/// `multiroute connect`: connects nodes and other clients, and starts nodes where needed.
struct ConnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect nodes, clients or ports, one after the other; installed nodes are started.",
    discussion: """
      Each PLACE is the name of a node, a client or a port, of a strip or a route of a running host, or 'client:' \
      with the beginning of port names. Of a card's ports as many are used as the other place has channels. All \
      connections are made, or none. Example: multiroute connect fluidsynth main
      """,
  )

  @OptionGroup var server: NodeServerOption
  @Argument(
    help: "Two or more places, in the order of the signal.",
    completion: LiveNames.places,
  )
  var places: [String]

  func validate() throws {
    guard places.count >= 2 else {
      throw ValidationError("name two places or more, in the order of the signal")
    }
  }

  func run() async throws {
    let hosts = await server.hosts()
    let denials = hosts.flatMap(PatchDenial.all)
    try await server.withHost { host in
      let ports = (try? host.connection.ports().map(\.name)) ?? []
      await host.know(hosts.flatMap { NamedPlace.all(of: $0, among: ports) })
      let made = try await host.connect(places) { source, destination in
        denials.first { $0.rule.matches(source, to: destination) }?.reason
      }
      for line in made { Terminal.say(line) }
    }
  }
}

/// `multiroute disconnect`: removes connections.
struct DisconnectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Remove all connections of a node, or those between two places.",
  )

  @OptionGroup var server: NodeServerOption
  @Argument(help: "A node, or the source of the signal.", completion: LiveNames.places)
  var place: String
  @Argument(help: "The destination of the signal.", completion: LiveNames.places)
  var destination: String?

  func run() async throws {
    try await server.withHost { host in
      guard let destination else {
        return await host.disconnect(try await host.node(named: place))
      }
      try await host.disconnect(place, from: destination)
    }
  }
}

/// A patch rule of a running host that denies connections.
///
/// Pure value: [any-thread].
struct PatchDenial: Sendable {
  let rule: GraphFile.PatchRule
  /// The rule as the refusal names it.
  let reason: String
}

extension PatchDenial {
  /// The denials of a host.
  static func all(of status: HostStatus) -> [PatchDenial] {
    status.patchRules.compactMap { found in
      guard let rule = GraphFile.PatchRule(text: found.rule), rule.kind == .deny else {
        return nil
      }
      return PatchDenial(
        rule: rule,
        reason:
          "the patch rule in line \(found.line) of \(status.host.graph) denies it: \(found.rule)",
      )
    }
  }
}

extension NamedPlace {
  /// The routes and strips of a host: a direct connection to a route's hardware is moved to its program's strip.
  static func all(of status: HostStatus, among ports: [String]) -> [NamedPlace] {
    func own(_ start: String) -> [String] {
      ports.filter { $0.hasPrefix("\(status.host.name):\(start)") }
    }
    let routes = status.routes.map { route in
      let isOutput = route.direction == .output
      return NamedPlace(
        name: route.name,
        inputs: isOutput ? route.ports : [],
        outputs: isOutput ? own("\(route.name)_out_") : route.ports,
      )
    }
    return routes
      + status.strips.map { NamedPlace(name: $0.id, inputs: own("\($0.id)_in_"), outputs: []) }
  }
}

extension NodeServerOption {
  /// The hosts on the server, as far as they answer.
  func hosts() async -> [HostStatus] {
    let wanted =
      server ?? ProcessInfo.processInfo.environment["JACK_DEFAULT_SERVER"] ?? "default"
    var hosts: [HostStatus] = []
    for name in SocketPath.hostNames() {
      let client = try? await ControlClient.connect(to: .name(name))
      guard let client else { continue }
      let status = try? await client.call(GetStatus.self)
      await client.close()
      if let status, status.server.name == wanted { hosts.append(status) }
    }
    return hosts
  }
}

/// The JACK server for a command about nodes.
///
/// Belongs to the control thread.
struct NodeServerOption: ParsableArguments {
  @Option(
    name: [.customShort("n"), .customLong("server")],
    help: "The name of the JACK server. Default: $JACK_DEFAULT_SERVER, or 'default'.",
  )
  var server: String?

  /// Opens a client that finds and connects nodes, does something, and closes it.
  ///
  /// Errors end the command with the exit status of sysexits. Faulty node files are reported and ignored.
  func withHost<Value: Sendable>(
    _ body: (InterAppHost) async throws -> Value
  ) async throws -> Value {
    Log.begin(at: .warning)
    let folders = try NodeFolders.withShippedNodes()
    for fault in folders.read().faults { Terminal.complain("\(fault)") }
    do {
      let description = HostDescription(name: "multiroute-nodes", isSessionActive: false)
      let host = try InterAppHost(description, server: server, folders: folders)
      do {
        let value = try await body(host)
        await host.close()
        return value
      } catch {
        await host.close()
        throw error
      }
    } catch let error as InterAppAudioError {
      Terminal.complain("error: \(error.message)")
      throw ExitCode(error)
    }
  }
}

extension ExitCode {
  /// The exit code for a fault of inter-app audio. [any-thread]
  init(_ error: InterAppAudioError) {
    self =
      switch error.code {
      case .jack, .instanceInvalidated, .initializationTimedOut, .instanceTimedOut: .unavailable
      case .notPermitted: .noPermission
      default: .badData
      }
  }
}

extension NodeFolders {
  /// The installed nodes, and those that are parts of this program. [any-thread]
  ///
  /// - Throws: Status 70 when this program's own file cannot be found.
  static func withShippedNodes() throws -> NodeFolders {
    let program = try ThisProgram.path()
    return NodeFolders(shipped: ShippedNode.allCases.compactMap { $0.installed(in: program) })
  }
}
