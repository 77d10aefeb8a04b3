// SPDX-License-Identifier: MIT

internal import GraphFiles
internal import JACK
internal import Patchbay

/// The ports of a server that give a microphone, and the clients that need a permission to hear them.
///
/// Belongs to the control thread.
struct CaptureSources {
  /// The graph, with its routes.
  let graph: GraphFile
  /// The server.
  let server: any CaptureServer
  /// The gates; nil without any.
  let gates: (any CaptureGates)?
  /// The programs behind clients.
  let programs: ProgramDirectory
  /// The first rule of the graph that adopts or excludes a client.
  let rule: (_ client: String) -> GraphFile.Adoption?
  /// The process of the helper program whose client has this name; nil without one.
  let helperProcess: (_ client: String) -> Int32?

  /// The same server with another graph and its rules.
  func under(
    _ graph: GraphFile,
    rule: @escaping (_ client: String) -> GraphFile.Adoption?,
  ) -> CaptureSources {
    CaptureSources(
      graph: graph,
      server: server,
      gates: gates,
      programs: programs,
      rule: rule,
      helperProcess: helperProcess,
    )
  }

  /// Every capture port of the server.
  var ports: [String] {
    let ports =
      server.ports.physical(facing: .intoHost) + inputRoutes.flatMap { server.foundPorts(of: $0) }
    return Set(ports).sorted(by: NaturalOrder.areInIncreasingOrder)
  }

  /// The capture port of a connection from `source`; nil if it is not a capture, or comes from the client's own
  /// gate.
  func capture(of source: String, for client: String) -> String? {
    if let gate = gates?.gate(output: source) {
      // Through another program's gate it would hear that program's capture.
      return gate.client == client ? nil : gate.source
    }
    let isCapture =
      server.ports.isPhysical(source)
      || inputRoutes.contains { server.foundPorts(of: $0).contains(source) }
    return isCapture ? source : nil
  }

  /// Whether a capture port gives audio to the host's clients only, so that programs need a gate in any case.
  func isPrivate(_ port: String) -> Bool {
    graph.permissions != nil && JACKNames.client(of: port).flatMap(helperProcess) != nil
  }

  /// Whether a port gives what a hardware plays: a monitor port, which is an output of the hardware but no capture.
  func isMonitor(_ port: String) -> Bool {
    guard let client = JACKNames.client(of: port), !server.ports.isPhysical(port) else {
      return false
    }
    return isHardware(client) && capture(of: port, for: client) == nil
  }

  /// The monitor ports of the hardware that is connected to these outputs of the host.
  func monitors(of outputs: Set<String>) -> Set<String> {
    let clients = Set(outputs.flatMap(server.destinations(of:)).compactMap(JACKNames.client(of:)))
    return Set(
      clients.filter(isHardware)
        .flatMap { server.ports.ports(ofClient: $0, facing: .intoHost) }
        .filter(isMonitor)
    )
  }

  /// Whether a client is a program that may need a permission.
  ///
  /// Everybody may take a name and mark ports as physical. So the host's own clients, the hardware and the host's
  /// bridges are known by more than that. A rule `leave` names a client, and counts only where no permission is asked for.
  func isProgram(_ client: String) -> Bool {
    guard gates?.clientName != client, !server.hostClients.contains(client) else { return false }
    if graph.permissions == nil, let rule = rule(client), rule.session == nil { return false }
    return !isHelper(client) && !isHardware(client)
  }

  /// Whether a client is the helper program of a route: of its name, and the process that the host has started.
  private func isHelper(_ client: String) -> Bool {
    guard let process = helperProcess(client) else { return false }
    return programs.program(of: client).pid == process
  }

  /// Whether a client is the hardware: the server's driver, or PipeWire's cards.
  private func isHardware(_ client: String) -> Bool {
    guard server.ports.hasPhysicalPort(ofClient: client) else { return false }
    if isHelper(client) { return true }
    // jackd's driver has this name as long as jackd runs, and no process of its own.
    if client == Self.driverClient, !programs.isPipeWire { return true }
    guard programs.isPipeWire else { return false }
    let program = programs.program(of: client)
    // PipeWire itself tells of no process; a program that hides itself has one.
    guard let executable = program.executable else { return program.pid == nil }
    return Self.cardPrograms.contains(program.name)
      && programs.installed(program.name) == executable
      && programs.file(at: executable) == program.file
  }

  private static let driverClient = "system"
  private static let cardPrograms: Set = ["pipewire", "wireplumber", "pipewire-media-session"]

  private var inputRoutes: [GraphFile.Route] { graph.routes.filter { $0.direction == .input } }
}
