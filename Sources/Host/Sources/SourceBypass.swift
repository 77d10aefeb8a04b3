// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Logging
internal import Patchbay

/// Programs whose ports are sources of the graph, and that also connect themselves to the hardware: they are heard twice.
///
/// The host leaves the connections of programs that it has not adopted alone, and says what to do. Belongs to the
/// control thread.
final class SourceBypass {
  private let control: Control
  private let inForce: GraphRoom
  /// The programs of each source that were told.
  private var told: [String: Set<String>] = [:]

  /// Watches the sources of a graph.
  init(control: Control, graph: GraphRoom) {
    self.control = control
    inForce = graph
  }

  /// The sources that other programs' ports feed.
  private var strips: [String] {
    inForce.file.sources.filter { if case .ports = $0.kind { true } else { false } }.map(\.name)
  }

  private var outputRoutes: [String] { inForce.file.outputRoutes.map(\.name) }

  /// The server is there: looks at the programs that were there before the host.
  func begin() {
    told.removeAll()
    guard let connections = control.attachment?.connections else { return }
    for strip in strips {
      for port in connections.foundPorts(of: strip) {
        for other in hardware(of: port) { connected(port, to: other) }
      }
    }
  }

  /// Two ports of others were connected.
  func connected(_ port: String, to other: String) {
    guard let strip = strip(ofPort: port), isHardware(other),
      let client = JACKNames.client(of: port),
      told[strip, default: []].insert(client).inserted
    else { return }
    let message =
      "source '\(strip)': \(client) feeds it and plays directly to \(other) too, so it is heard twice. "
      + DirectSound.adoptionRemedy(client: client, strip: strip)
    control.logger.warning("\(message)")
    control.publish(.error(.init(strip: strip)), message)
  }

  /// Two ports of others were disconnected: a program that is heard through its strip alone is told anew the next time.
  func disconnected(_ port: String, from other: String) {
    guard let strip = strip(ofPort: port), let client = JACKNames.client(of: port),
      told[strip]?.contains(client) == true, hardware(ofClient: client, to: strip).isEmpty
    else { return }
    told[strip]?.remove(client)
  }

  // MARK: - Questions

  /// The sound of these sources that reaches the hardware past their strips.
  func directSounds(ofStrips names: [String]) -> [DirectSound] {
    names.flatMap { strip -> [DirectSound] in
      (told[strip] ?? []).sorted().compactMap { client in
        let hardware = hardware(ofClient: client, to: strip)
        guard !hardware.isEmpty else { return nil }
        return DirectSound(hardware: hardware, cause: .source(strip: strip, client: client))
      }
    }
  }

  /// The sources that a client's ports feed.
  func names(ofClient client: String) -> [String] {
    guard let connections = control.attachment?.connections else { return [] }
    return strips.filter { strip in
      connections.foundPorts(of: strip).contains { JACKNames.client(of: $0) == client }
    }
  }

  private func strip(ofPort port: String) -> String? {
    guard let connections = control.attachment?.connections else { return nil }
    return strips.first { connections.foundPorts(of: $0).contains(port) }
  }

  private func hardware(ofClient client: String, to strip: String) -> Set<String> {
    let ports = control.attachment?.connections.foundPorts(of: strip) ?? []
    return Set(ports.filter { JACKNames.client(of: $0) == client }.flatMap(hardware))
  }

  private func hardware(of port: String) -> [String] {
    (control.attachment?.connections.others(of: port) ?? []).filter(isHardware)
  }

  /// Whether a port is one of a sound card's, or is named by a route of the graph.
  private func isHardware(_ port: String) -> Bool {
    guard let connections = control.attachment?.connections else { return false }
    return connections.ports.info(of: port)?.isPhysical == true
      || outputRoutes.contains { connections.foundPorts(of: $0).contains(port) }
  }
}
