// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import FoundationEssentials
import GraphFiles
import JACK
import Logging
import Surfaces
import Synchronization
import TestSupport

@testable import Host

/// A host in this process, on the real server of the test, with two decks on a crossfader and with controllers.
final class ControllerRig {
  let host: Host
  let server: String
  private let decks: Player
  private let plugs: Plugs
  private let name: String

  /// Starts the host.
  ///
  /// - Parameters:
  ///   - devices: The controllers that it looks for; nil for those of the graph.
  ///   - controls: More of the graph's controls.
  ///   - server: The server's name.
  /// - Throws: The error of the graph, of JACK or of the host.
  private init(_ devices: [ControllerDevice]?, controls: String, server: String) async throws {
    self.server = server
    decks = try Player([[0.5], [0]], loops: true, server: server, name: "decks")
    decks.start()
    name = "rig-\(UUID().uuidString.prefix(8))"
    var configuration = HostConfiguration(
      graph: try Self.graph(named: name, controls: controls, server: server)
    )
    if let devices { configuration.controllers = devices }
    configuration.stateDirectory = "/tmp/multiroute-rig-\(UUID().uuidString)"
    configuration.socketDirectory = configuration.stateDirectory
    configuration.startsFresh = true
    host = Host(
      configuration: configuration,
      logger: Logger(label: "rig") { _ in SwiftLogNoOpLogHandler() },
    )
    let plugs = Plugs()
    self.plugs = plugs
    try await host.start()
    await host.run { rooms in rooms.controllers.join("test") { plugs.add($0) } }
  }

  private static func graph(
    named name: String,
    controls: String,
    surfaces: String = "{}",
    server: String,
  ) throws -> GraphFile {
    try GraphFile.parse(
      """
      multiroute: 1
      name: \(name)
      server: {name: \(server), start: never}
      routes: {main: {type: lineOut, ports: ["system:playback_1"]}}
      sources:
        deck-a: {ports: ["decks:out_1"]}
        deck-b: {ports: ["decks:out_2"]}
      mix:
        - {from: deck-a, to: main}
        - {from: deck-b, to: main}
      controls: {crossfader: {a: deck-a, b: deck-b, curve: linear, position: -1}\(controls)}
      surfaces: \(surfaces)
      """,
      path: "rig.yaml",
    )
  }

  /// Applies a version of the graph with other controls and surfaces.
  func apply(controls: String = "", surfaces: String = "{}") async throws {
    let graph = try Self.graph(named: name, controls: controls, surfaces: surfaces, server: server)
    let difference = GraphDifference(from: await host.run { $0.graph }, to: graph)
    try await host.apply(graph, difference: difference)
  }

  /// Runs a test with a host, and ends it.
  static func with(
    _ devices: [ControllerDevice]? = nil,
    controls: String = "",
    _ test: (ControllerRig) async throws -> Void,
  ) async throws {
    let rig = try await ControllerRig(
      devices,
      controls: controls,
      server: try testServer().name,
    )
    let result: Result<Void, any Error>
    do {
      result = .success(try await test(rig))
    } catch {
      result = .failure(error)
    }
    await rig.host.stop(fadeSeconds: 0)
    rig.decks.close()
    if let directory = rig.host.configuration.stateDirectory {
      try? FileManager.default.removeItem(atPath: directory)
    }
    try result.get()
  }

  /// The graph.
  var graph: GraphFile { host.configuration.graph }

  /// The name of the host's main client.
  var client: String { host.configuration.graph.name }

  /// How many controllers were plugged in so far.
  var plugCount: Int { plugs.all.count }

  /// Waits for a plug, counted from 1.
  func plug(_ number: Int) async throws -> any ControllerPort {
    try await waitUntil("plug \(number)") { plugs.all.count >= number }
    return plugs.all[number - 1]
  }

  /// The state of the controllers.
  func reports() async -> [ControllerReport] {
    await host.run { rooms in rooms.controllers.reports }
  }

  /// The crossfader as the tree of parameters has it.
  func position() async throws -> ParameterValue? { try await value("/crossfader/position") }

  /// A parameter.
  func value(_ path: String) async throws -> ParameterValue? {
    try await host.run { rooms throws(ControlError) in
      try rooms.parameters.get(GetParameters.Params(paths: [path])).values[0].value
    }
  }

  /// Sets a parameter as another program does.
  func set(_ path: String, _ value: ParameterValue) async throws {
    let setting = ParameterSetting(path: path, value: value)
    try await host.run { rooms throws(ControlError) in
      try await rooms.set([setting], rampMilliseconds: nil, for: ConnectionID(rawValue: 1))
    }
  }
}

/// The controllers that came, in their order.
private final class Plugs: Sendable {
  private let list = Mutex<[any ControllerPort]>([])

  var all: [any ControllerPort] { list.withLock { $0 } }
  func add(_ port: any ControllerPort) { list.withLock { $0.append(port) } }
}
