// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import JACK
internal import Mixing
internal import Sessions

extension Host {
  /// Gives sessions to clients that have come and that a rule adopts, and ends those of clients that
  /// have gone.
  ///
  /// A client that comes back has its session, its routes and its gain again.
  func adoptClients() {
    guard phase == .running, configuration.connectsPorts,
      !configuration.graph.adoptions.isEmpty
    else { return }
    let hardware = Set(keeper.ports.physical(facing: .intoHost))
    let clients = Set(
      keeper.ports.all(facing: .intoHost).filter { !hardware.contains($0) }.compactMap { port in
        port.split(separator: ":", maxSplits: 1).first.map(String.init)
      }
    )
    for (id, held) in tower.held.sorted(by: { $0.key < $1.key }) {
      guard case .client(let client) = held.owner, !clients.contains(client) else { continue }
      endSession(id, .died)
    }
    let adopted = Set(
      tower.held.values.compactMap { held -> String? in
        guard case .client(let client) = held.owner else { return nil }
        return client
      }
    )
    for client in clients.subtracting(adopted).subtracting(refusedClients).sorted() {
      guard let rule = configuration.graph.adoption(of: client), let session = rule.session
      else { continue }
      do {
        try adopt(client, rule, session)
      } catch {
        refusedClients.insert(client)
        publish(.error, "client '\(client)' cannot be adopted: \(error)")
      }
    }
  }

  private func adopt(
    _ client: String,
    _ rule: GraphFile.Adoption,
    _ session: GraphFile.AppSession,
  ) throws {
    var settings = tower.tower.state.configuration
    // What the graph itself says needs no further permission (ACT-4).
    settings.priorityClasses[client] = session.priorityClass
    settings.permissions[client] = permission(ofClient: client)
    if settings != tower.tower.state.configuration {
      tell(.configurationChanged(configuration: settings))
    }
    var description = try session.description(app: client, isAdopted: true)
    description.traits.pinnedOutputs = rule.routes
    let ports = try SessionPorts(client: client, channels: rule.channels)
    let name = freeSessionName(client, channels: rule.channels)
    let held = HeldSession(
      name: name,
      app: client,
      owner: .client(client),
      strips: [name],
      ports: ports,
      startGainDB: rule.gainDB,
    )
    try open(held, description)
  }
}
